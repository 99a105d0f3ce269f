import type { Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';

type Words = readonly (string | boolean | null)[];

/** How a field is told in the document; `orNull`: always there, null where it does not apply. */
const shown = <Terms extends readonly unknown[]>(told: (...terms: Terms) => object) => {
  const as =
    (more: object) =>
    (...terms: Terms): PropertyDecorator =>
      ApiProperty({ ...told(...terms), ...more });
  return Object.assign(as({}), { orNull: as({ nullable: true }), optional: as({ required: false }) });
};

const of = (kind: object) =>
  shown((description: string, example?: unknown, more: object = {}) => ({ ...kind, description, example, ...more }));

/** Fields of answers and webhooks: what each means, and an example. */
export const Text = of({ type: String });
export const Time = of({ type: String, format: 'date-time' });
export const Num = of({ type: Number });
export const Int = of({ type: 'integer' });
export const Flag = of({ type: Boolean });
export const Json = of({ type: Object });

/** One of a few words. */
export const Word = shown((words: Words, description: string, example?: unknown) => ({
  type: String,
  enum: [...words],
  description,
  example,
}));

/** Several of a few words. */
export const Words = shown((words: Words, description: string, example?: unknown) => ({
  type: [String],
  enum: [...words],
  description,
  example,
}));

export const Nested = shown((type: Type<object>, description: string, example?: unknown) => ({
  type,
  description,
  example,
}));

export const List = shown((type: Type<unknown>, description: string, example?: unknown) => ({
  type: [type],
  description,
  example,
}));
