import { misfits, unsaid } from '#door/openapi/testing';
import type { User } from './cointill.ts';

type Misfits = (words: string, value: unknown) => string[];

/** Where what a command prints does not fit what `cointill schema` publishes of it, or is not told there. */
export const publishedBy = async (user: User): Promise<Misfits> => {
  const { out } = await user.piped(['schema']);
  const schemas = JSON.parse(out.replaceAll('#/$defs/', '#/components/schemas/'));
  return (words, value) => {
    const schema = schemas[words];
    if (!schema) return ['no schema is published'];
    const { $defs = {} } = schema;
    return [...misfits(schema, value, $defs), ...unsaid(schema, value, $defs)];
  };
};
