import { depositStream, loadDeposit } from '#deposit-commands';
import { decideReturn } from '#deposits';
import type { JsonObject } from '#event-log';
import type { TestEngine } from './open-engine.ts';
import { paidSignals } from './signals.ts';

/** A deposit whose return is queued. Its return has the id 100 above its own. */
export const returnNow = async (engine: TestEngine, id: number): Promise<number> => {
  await engine.issue(id);
  await engine.applySignals(id, paidSignals(`tx-${id}`), 'test');
  const now = new Date().toISOString();
  const { state, revision } = await loadDeposit(engine.log, id);
  if (state.stage === 'none') throw new Error('no quote was issued');
  const returnId = id + 100;
  const outcome = decideReturn(state, { type: 'ReturnDeposit', now, returnId, returnAddress: 'home', reason: null });
  if (outcome.outcome !== 'applied') throw new Error(JSON.stringify(outcome));
  const events = outcome.events.map(({ type, data }) => ({
    id: crypto.randomUUID(),
    type,
    data: data as unknown as JsonObject,
    metadata: { occurredAt: now },
  }));
  await engine.log.append(depositStream(id), revision, events);
  return returnId;
};
