export type Severity = 'critical' | 'warning' | 'notice';

export type Kind = {
  readonly severity: Severity;
  /** One row each, with `at`: since when it waits; of deposits and transactions with their `id`. `$1` is SEAL_EVERY. */
  readonly rows: string;
  /** Which of the operators' lists shows them: them alone, wherever a list of many does. */
  readonly list: string;
};
