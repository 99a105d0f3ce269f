import type { ComponentChildren } from 'preact';
import type { Field, Values } from './fields.tsx';

export type Question = {
  readonly title: string;
  /** What is now, what will be, and how many it touches. */
  readonly children: ComponentChildren;
  readonly label: string;
  /** Asked for a reason, and for the token where it was not shown a moment ago. */
  readonly dangerous?: boolean;
  readonly fields?: readonly Field[];
  /** What it resolves to, where it is to be seen, is shown until somebody closes it. */
  readonly act: (reason: string, values: Values) => Promise<unknown>;
  readonly shows?: (answer: unknown) => ComponentChildren;
};
