import type { Instant } from '#deposits';
import type { Fact } from '../signals/fact.ts';

export type Step = {
  readonly fact: Fact;
  /** When it shall have been; default: when it is played. */
  readonly at?: Instant;
};
