import type { Instant } from '#deposits';
import type { Fact } from '../signals/facts.ts';

export type Step = {
  readonly fact: Fact;
  /** When it shall have been; default: when it is played. */
  readonly at?: Instant;
};
