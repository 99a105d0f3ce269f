import type { ShownError } from '../errors/index.ts';

type Named<Key extends string> = Readonly<Record<Key, string>>;

/** The members of a union that bear this name. */
type WithName<Union, Key extends string, Name> =
  Union extends Named<Key> ? (Name extends Union[Key] ? Union : never) : never;

/** A row for every name: one that is forgotten does not compile. */
type Rows<Union extends Named<Key>, Key extends string, Name extends string = Union[Key]> = {
  readonly [Each in Name]: (member: WithName<Union, Key, Each>) => ShownError;
};

/** The rows' types say that each takes what bears its name, which no lookup can say. */
const look = (rows: object, name: string, member: unknown): ShownError => {
  const row = Reflect.get(rows, name) as (member: unknown) => ShownError;
  return row(member);
};

/** What the interface answers to each refusal. */
export const answersTo =
  <Refusal extends Named<'refusal'>>(rows: Rows<Refusal, 'refusal'>) =>
  (refusal: Refusal): ShownError =>
    look(rows, refusal.refusal, refusal);

type Applied<Outcome> = WithName<Outcome, 'outcome', 'applied'>;

const isApplied = <Outcome extends Named<'outcome'>>(outcome: Outcome): outcome is Outcome & Applied<Outcome> =>
  outcome.outcome === 'applied';

/** Lets through what was applied, and throws the interface's answer to all that a command may come to instead. */
export const appliedOr =
  <Outcome extends Named<'outcome'>>(rows: Rows<Outcome, 'outcome', Exclude<Outcome['outcome'], 'applied'>>) =>
  (outcome: Outcome): Applied<Outcome> => {
    if (isApplied(outcome)) return outcome;
    throw look(rows, outcome.outcome, outcome);
  };
