import { type IncomingMessage, ServerResponse } from 'node:http';
import { askerOn } from './known-connections.ts';
import { createShares, type Share } from './shares.ts';

const MEGABYTE = 1_048_576;

/**
 * What an instance of 512 MB can spare: some sixty of the largest pages for one affiliate. Of strangers' it is less, since all
 * that they may read are a few pages; a crowd of them costs no known caller his answer, however many addresses it has.
 */
const OF_KNOWN = { most: 40 * MEGABYTE, mostOfOne: 16 * MEGABYTE };
const OF_STRANGERS = { most: 24 * MEGABYTE, mostOfOne: 16 * MEGABYTE };

/** Of each, not counted: the system has room for more before anything is left to be kept here. */
const FREE = 4_096;

const bytesIn = (piece: unknown): number => {
  if (typeof piece === 'string') return Buffer.byteLength(piece);
  return piece instanceof Uint8Array ? piece.length : 0;
};

/**
 * Answers of one port. A piece of one is kept as a whole until the other side has taken all of it: counted is what is kept
 * for whoever asked, of answers that are written at once and of those that are read from somewhere as they are taken.
 */
export const createAnswers = (): typeof ServerResponse => {
  const [known, strangers] = [createShares(OF_KNOWN), createShares(OF_STRANGERS)];

  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    #share: Share | undefined;

    override write(...given: unknown[]): boolean {
      const isTaken: boolean = Reflect.apply(super.write, this, given);
      this.#count(given[0]);
      return isTaken;
    }

    override end(...given: unknown[]): this {
      Reflect.apply(super.end, this, given);
      this.#count(given[0]);
      return this;
    }

    #count(piece?: unknown): void {
      const unwritten = this.socket?.writableLength ?? 0;
      // The socket counts characters of a text.
      const bytes = unwritten === 0 ? 0 : Math.max(unwritten, bytesIn(piece));
      if (bytes > FREE) this.#share ??= this.#enter();
      this.#share?.hold(bytes);
    }

    #enter(): Share {
      const { socket } = this.req;
      const { owner, from } = askerOn(socket);
      const letGo = () => void socket.destroy();
      const share = owner === undefined ? strangers.enter(from, letGo) : known.enter(owner, letGo);
      this.on('drain', () => this.#count());
      // With 'close' begins the next answer of the connection, beside which it would count.
      this.once('finish', share.leave).once('close', share.leave);
      return share;
    }
  };
};
