import type { Type } from '@nestjs/common';
import { ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { pascalCase } from '#door/openapi';
import { type SignalDescription, signalDescriptions } from '#engine';

const schemaName = ({ type }: SignalDescription): string => `${pascalCase(type)}Signal`;

/** The document takes its schemas from classes; these have nothing but what the engine tells of its signals. */
const schemaClass = (description: SignalDescription): Type<object> => {
  class Signal {}
  ApiSchema({ name: schemaName(description), ...description.schema })(Signal);
  return Signal;
};

export const signalSchemas: readonly Type<object>[] = signalDescriptions.map(schemaClass);

const paths = signalDescriptions.map(
  (description) => [description.type, getSchemaPath(schemaName(description))] as const,
);

/** One of them, told apart by its type. */
export const anySignal = {
  oneOf: paths.map(([, $ref]) => ({ $ref })),
  discriminator: { propertyName: 'type', mapping: Object.fromEntries(paths) },
};

/** A call with one signal, for each type. */
export const signalExamples = Object.fromEntries(
  signalDescriptions.map(({ type, summary, example }) => [type, { summary, value: { signals: [example] } }]),
);
