import type { handleUnaryCall } from '@grpc/grpc-js';
import type { Context } from '../context.ts';
import { type FilterText, matcher, readFilterText } from '../filters.ts';
import { type From, positionFrom } from '../streams/starts.ts';
import { persistent } from '../wire/definitions.ts';
import * as refuse from '../wire/refusals.ts';
import { describe } from './describe.ts';
import { nameOf } from './names.ts';
import { readSettings } from './settings.ts';

type Start = { readonly from: From; readonly filter: FilterText | undefined };

/** Where to start in a stream comes in a field of the settings, the largest number for its end. */
const END = 2n ** 64n - 1n;
const streamStart = (settings: persistent.CreateReq.Settings): Start => {
  const revision = BigInt(settings.getRevision());
  return { from: revision === END ? 'end' : Number(revision), filter: undefined };
};

const allStart = ({ log }: Context, options: persistent.CreateReq.AllOptions): Start | refuse.Refusal => {
  const from = positionFrom(log, options);
  if (typeof from === 'object') return from;
  const filter = options.getFilter();
  if (!filter) return { from, filter: undefined };
  try {
    const text = readFilterText(filter);
    matcher(text);
    return { from, filter: text };
  } catch (error) {
    return refuse.invalid(`A filter that cannot be read: ${error}`);
  }
};

const create = (ctx: Context, options: persistent.CreateReq.Options | undefined): refuse.Refusal | undefined => {
  const settings = options?.getSettings();
  if (!ctx.faults.isReady()) return refuse.notReady();
  if (!options || !settings) return refuse.invalid('A group has a name and settings.');
  const name = nameOf(options);
  if (ctx.groups.find(name)) return refuse.groupExists(name);
  const all = options.getAll();
  const start = all ? allStart(ctx, all) : streamStart(settings);
  if ('code' in start) return start;
  ctx.groups.create({ ...name, ...start, settings: readSettings(settings) });
  return undefined;
};

export const createHandler =
  (ctx: Context): handleUnaryCall<persistent.CreateReq, persistent.CreateResp> =>
  ({ request }, callback) => {
    const refused = create(ctx, request.getOptions());
    return refused ? callback(refused) : callback(null, new persistent.CreateResp());
  };

export const deleteGroupHandler =
  ({ groups, faults }: Context): handleUnaryCall<persistent.DeleteReq, persistent.DeleteResp> =>
  ({ request }, callback) => {
    const options = request.getOptions();
    if (!faults.isReady()) return callback(refuse.notReady());
    if (!options) return callback(refuse.invalid('A group has a name.'));
    const name = nameOf(options);
    if (!groups.find(name)) return callback(refuse.groupMissing(name));
    groups.remove(name, refuse.groupDropped(name));
    return callback(null, new persistent.DeleteResp());
  };

export const infoHandler =
  ({ log, groups, faults }: Context): handleUnaryCall<persistent.GetInfoReq, persistent.GetInfoResp> =>
  ({ request }, callback) => {
    const options = request.getOptions();
    if (!faults.isReady()) return callback(refuse.notReady());
    if (!options) return callback(refuse.invalid('A group has a name.'));
    const name = nameOf(options);
    const group = groups.find(name);
    if (!group) return callback(refuse.groupMissing(name));
    return callback(null, new persistent.GetInfoResp().setSubscriptionInfo(describe(log, group)));
  };
