import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors, type ShownError } from '../errors/index.ts';
import { addressOf } from './address-of.ts';
import { type ParsedJson, parseJson } from './json-value.ts';
import { isKnown } from './known-connections.ts';
import { createRooms, type Room } from './rooms.ts';
import { MOST_PIECES, startBuffer, takeIn } from './take-in.ts';

export const BODY_LIMIT = 1_048_576;

/**
 * Stands in place of a body until the guards have spoken: the interface checks the credential before the body. Its bytes
 * are kept meanwhile, whoever sent them, as far as there is room (rooms.ts); what is parsed before the credential is
 * known are the bodies of the older interface, which bring it.
 */
export class UnreadBody {
  /** The value, or the refusal that it deserves. */
  readonly read: () => ParsedJson;

  constructor(read: () => ParsedJson) {
    this.read = read;
  }
}

const MEGABYTE = 1_048_576;

/**
 * What an instance of 512 MB can spare. No engine or operator sends sixteen of the largest bodies at once, and no ordinary
 * body of a partner is larger than what is free.
 */
const LIMITS = { most: 64 * MEGABYTE, mostOfOne: 16 * MEGABYTE, forKnown: 16 * MEGABYTE, free: 4_096 };

type Rooms = ReturnType<typeof createRooms>;

type EnterRoom = (letGo: () => void) => Room;

const refused = (refusal: ShownError): UnreadBody => new UnreadBody(() => ({ refusal }));

const REFUSALS = {
  'too-large': () => httpErrors.bodyTooLarge(BODY_LIMIT),
  'in-crumbs': () => httpErrors.bodyInCrumbs(MOST_PIECES),
  'no-room': httpErrors.noRoomForBody,
  'cut-short': httpErrors.bodyCutShort,
} as const;

const FIRST_OF_A_NAME = 40;

/** The chunks are undone by then; what they carry would still have to be, and is not what was meant. */
const transferRefusal = ({ headers }: IncomingMessage): UnreadBody | undefined => {
  const codings = headers['transfer-encoding'] ?? 'chunked';
  if (codings.toLowerCase() === 'chunked') return undefined;
  return refused(httpErrors.transferUnsupported(codings.slice(0, FIRST_OF_A_NAME)));
};

const jsonBody = async (stream: IncomingMessage, enter: EnterRoom): Promise<unknown> => {
  const encoding = stream.headers['content-encoding'] ?? 'identity';
  let letGo = (): void => undefined;
  const room = enter(() => {
    buffer.drop();
    letGo();
  });
  const buffer = startBuffer(BODY_LIMIT, room.grow);
  const taken = await takeIn(stream, BODY_LIMIT, buffer.keep, (leave) => {
    letGo = leave;
  });
  room.settle();
  if (taken.kind !== 'whole') return refused(REFUSALS[taken.kind]());
  // Many clients name the type of a body that a GET does not bring.
  if (stream.method === 'GET' && taken.length === 0) return undefined;
  const refusal = transferRefusal(stream);
  if (refusal) return refusal;
  if (encoding.toLowerCase() !== 'identity')
    return refused(httpErrors.encodingUnsupported(encoding.slice(0, FIRST_OF_A_NAME)));
  return new UnreadBody(() => parseJson(buffer.first(taken.length)));
};

const untyped = new WeakSet<IncomingMessage>();

/** Somebody sent a body that nobody can read. */
export const bringsUntypedBody = (stream: IncomingMessage): boolean => untyped.has(stream);

/**
 * "Without that header the body is ignored (treated as empty)." Its size is bounded all the same, and it has to come whole:
 * who sent a part of it heard that the request is none.
 */
const ignoredBody = async (stream: IncomingMessage): Promise<unknown> => {
  const taken = await takeIn(stream, BODY_LIMIT);
  if (taken.kind !== 'whole') return refused(REFUSALS[taken.kind]());
  const refusal = transferRefusal(stream);
  if (!refusal && taken.length > 0) untyped.add(stream);
  return refusal;
};

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Only two kinds of body exist: JSON, and none. Whatever else the header says, even nonsense, is none. */
export const normalizeContentType = ({ headers }: IncomingMessage): void => {
  const type = headers['content-type'];
  if (type === undefined) return;
  if (JSON_TYPE.test(type)) headers['content-type'] = 'application/json';
  else delete headers['content-type'];
};

/** Kept until the answer is out, or the connection gone. */
const entering =
  (rooms: Rooms, request: FastifyRequest, reply: FastifyReply): EnterRoom =>
  (letGo) => {
    const address = addressOf(request);
    const room: Room = rooms.enter(address, {
      isKnown: isKnown(request.raw.socket, address),
      letGo: () => {
        room.leave();
        letGo();
      },
    });
    reply.raw.once('close', room.leave);
    return room;
  };

export const useJsonBodies = (fastify: FastifyInstance): void => {
  // Of one port: whoever calls at that of partners takes nothing from that of operators and engines.
  const rooms = createRooms(LIMITS);
  const enterings = new WeakMap<IncomingMessage, EnterRoom>();
  // Examples of the older interface "also show GET with a body": the routes that read it say so.
  fastify.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  // Nobody here knows it, so that its path is unknown; the framework asks for its body's type before it looks for one.
  fastify.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true });
  fastify.addHook('preParsing', (request, reply, _payload, done) => {
    if (request.headers['content-type'] !== undefined) enterings.set(request.raw, entering(rooms, request, reply));
    done();
  });
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request: FastifyRequest) =>
    jsonBody(request.raw, enterings.get(request.raw) ?? ((letGo) => rooms.enter(addressOf(request), { letGo }))),
  );
  fastify.addContentTypeParser('*', (request: FastifyRequest) => ignoredBody(request.raw));
};
