import { answersTo } from '#door/answers';
import { scopeErrors } from '#door/errors';
import { type Casino, type CasinoOutcome, type CasinoRefusal, isEnabled } from '#partners';

const answerTo = answersTo<CasinoRefusal>({
  other_entity: scopeErrors.otherEntity,
  entity_not_found: scopeErrors.entityNotFound,
});

/** The casino that a call names, or the 403 of a locked key, or the 404. */
export const casinoIn = (outcome: CasinoOutcome): Casino => {
  if (outcome.outcome === 'refused') throw answerTo(outcome.refusal);
  return outcome.casino;
};

/** And it may take deposits, else 403. */
export const enabledCasinoIn = (outcome: CasinoOutcome): Casino => {
  const casino = casinoIn(outcome);
  if (!isEnabled(casino)) throw scopeErrors.entityDisabled(casino.status);
  return casino;
};
