import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Type as MadeAs } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsNumber, IsObject, IsPositive, Max, Min, ValidateNested } from 'class-validator';
import { IsDigits, IsId, IsText, IsTime, Optional, OptionalOrNull } from '../rules/index.ts';

type Told = { readonly description: string; readonly example?: unknown };

type Field = { readonly told: Told; readonly rules: readonly PropertyDecorator[] };

/** In words: of a field with a `default` some generators of clients make one that has to be sent. */
const byDefault = ({ description, example }: Told, value: unknown) => ({
  description: `${description}; by default ${JSON.stringify(value)}`,
  example: example ?? value,
});

/** A field's rule and how it is told in the document, from one place; it has to be sent unless `optional` or `orNull`. */
const sent = <Terms extends readonly unknown[]>(field: (...terms: Terms) => Field) => {
  const decorated = (
    terms: Terms,
    more: object | ((told: Told) => object),
    ...mayBeLeftOut: readonly PropertyDecorator[]
  ) => {
    const { told, rules } = field(...terms);
    const added = typeof more === 'function' ? { required: false, ...more(told) } : more;
    return applyDecorators(ApiProperty({ ...told, ...added }), ...rules, ...mayBeLeftOut);
  };
  return Object.assign((...terms: Terms) => decorated(terms, {}), {
    optional: (...terms: Terms) => decorated(terms, { required: false }, Optional()),
    orNull: (...terms: Terms) => decorated(terms, { required: false, nullable: true }, OptionalOrNull()),
    byDefault: (value: unknown, ...terms: Terms) => decorated(terms, (told) => byDefault(told, value), Optional()),
  });
};

const ruled = (kind: object, ...rules: readonly PropertyDecorator[]) =>
  sent((description: string, example?: unknown) => ({ told: { ...kind, description, example }, rules }));

/** Fields of bodies and queries that are sent. */
export const SentFlag = ruled({ type: Boolean }, IsBoolean());
export const SentId = ruled({ type: Number }, IsId());
export const SentTime = ruled({ type: String, format: 'date-time' }, IsTime());
/** An id or a count in a query. */
export const SentDigits = ruled({ type: String }, IsDigits());
export const SentAmount = ruled({ type: Number }, IsPositive(), IsNumber());

type Bounds = { readonly min?: number; readonly max?: number };

export const SentNum = sent((description: string, example?: number, { min, max }: Bounds = {}) => ({
  told: { type: Number, description, example, minimum: min, maximum: max },
  rules: [...(max === undefined ? [] : [Max(max)]), ...(min === undefined ? [] : [Min(min)]), IsNumber()],
}));

export const SentText = sent((description: string, example?: string, bounds: Bounds = {}) => ({
  told: { type: String, description, example, minLength: bounds.min, maxLength: bounds.max },
  rules: [IsText(bounds)],
}));

export const SentWord = sent((words: readonly string[], description: string, example?: string) => ({
  told: { type: String, enum: [...words], description, example },
  rules: [IsIn(words)],
}));

export const SentWords = sent((words: readonly string[], description: string, example?: readonly string[]) => ({
  told: { type: [String], enum: [...words], description, example },
  rules: [IsIn(words, { each: true }), IsArray()],
}));

export const SentNested = sent((type: Type<object>, description: string) => ({
  told: { type, description },
  rules: [MadeAs(() => type), ValidateNested(), IsObject()],
}));
