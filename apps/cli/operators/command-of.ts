import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Call, Command } from '../command.ts';
import { exit, usage } from '../parts/exit.ts';
import { pagesFrom } from '../parts/pages.ts';
import { answerSchema, type Field, type KeptDocument, type Operation, plainField } from './document.ts';
import { exampleOf } from './example.ts';
import type { Named } from './names.ts';
import { isRow, showAnswer } from './show-answer.ts';
import { placeholder, toldOf, typed } from './typed.ts';

const optionOf = (name: string): string => name.replaceAll('_', '-');

const isList = ({ parameters }: Operation): boolean => parameters.some(({ name }) => name === 'cursor');

type Sent = readonly [name: string, field: Field, whole: Field];

const sentFields = (operation: Operation, document: KeptDocument, { sends = {} }: Named): Sent[] => {
  const body = operation.body ? plainField(document.schemas[operation.body] ?? {}, document) : {};
  return Object.entries(body.properties ?? {})
    .filter(([name]) => !(name in sends))
    .map(([name, whole]) => [name, plainField(whole, document), whole]);
};

const fileOrStdin = async (from: string): Promise<unknown> => {
  const content = from === '-' ? await text(process.stdin) : await readFile(from, 'utf8').catch(() => undefined);
  if (content === undefined) throw usage(`--body: ${from} cannot be read`);
  try {
    return JSON.parse(content);
  } catch {
    throw usage(`--body: ${from} holds no JSON`);
  }
};

const bodyOf = async (call: Call, fields: readonly Sent[], { sends }: Named): Promise<Record<string, unknown>> => {
  const from = call.option('body');
  const whole = from === undefined ? {} : ((await fileOrStdin(from)) as Record<string, unknown>);
  const single = fields.flatMap(([name, field, beside]) => {
    const value = call.option(optionOf(name));
    return value === undefined ? [] : [[name, typed(`--${optionOf(name)}`, value, field, beside)]];
  });
  return { ...whole, ...Object.fromEntries(single), ...sends };
};

const queryOf = (call: Call, { parameters }: Operation, { typed: words }: Named): Record<string, string | undefined> =>
  Object.fromEntries(
    parameters
      .filter((each) => each.in === 'query')
      .map(({ name }) => [name, name === words ? call.args.join(' ') : call.option(optionOf(name))]),
  );

const pathOf = ({ path, parameters }: Operation, args: readonly string[]): string =>
  parameters
    .filter((each) => each.in === 'path')
    .reduce((so, { name }, nth) => so.replace(`{${name}}`, encodeURIComponent(args[nth] ?? '')), path);

const askedFirst = async (call: Call, words: string, named: Named, body: Record<string, unknown>): Promise<void> => {
  const { word, when = {}, unless } = named;
  const has = (wanted: object): boolean => Object.entries(wanted).every(([name, value]) => body[name] === value);
  if (word && has(when) && !(unless && has(unless)))
    await call.confirm(`cointill ${[words, ...call.args].join(' ')} cannot be taken back`, word);
};

/** What the document says is needed is asked for here: a call that must fail is not made. */
const askedForAll = (
  operation: Operation,
  document: KeptDocument,
  query: Readonly<Record<string, string | undefined>>,
  body: Record<string, unknown>,
): void => {
  const inQuery = operation.parameters.filter(
    ({ name, in: where, required }) => where === 'query' && required && query[name] === undefined,
  );
  const schema = operation.body ? plainField(document.schemas[operation.body] ?? {}, document) : {};
  const inBody = (schema.required ?? []).filter((name) => !(name in body));
  const missing = [
    ...inQuery.map(({ name, description = '' }) => [name, description]),
    ...inBody.map((name) => [name, schema.properties?.[name]?.description ?? '']),
  ];
  if (missing.length === 0) return;
  throw usage(missing.map(([name = '', what]) => `--${optionOf(name)} is needed: ${what}`).join('\n'));
};

type Page = Readonly<Record<string, unknown>>;

/** Page after page, as one answer. */
const wholeList = async (read: (cursor: string | undefined) => Promise<unknown>): Promise<Page> => {
  let whole: Page | undefined;
  for await (const next of pagesFrom(async (cursor) => (await read(cursor)) as Page)) {
    const joined = Object.entries(next).map(([name, value]) => [
      name,
      Array.isArray(value) ? [...((whole?.[name] ?? []) as unknown[]), ...value] : value,
    ]);
    whole = Object.fromEntries(joined);
  }
  return whole ?? {};
};

const hasFound = (answer: unknown, { finds = [] }: Named): boolean =>
  finds.some((list) => {
    const found = isRow(answer) ? answer[list] : undefined;
    return Array.isArray(found) && found.length > 0;
  });

/** An operation of the service as a command: parameters and fields are options, the answer is shown as it came. */
export const commandOf = (id: string, operation: Operation, named: Named, document: KeptDocument): Command => {
  const fields = sentFields(operation, document, named);
  const list = isList(operation);
  return {
    words: named.words,
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    ...(/ list$/.test(named.words) && { isDefault: true }),
    args: operation.parameters
      .filter((each) => each.in === 'path' || each.name === named.typed)
      .map(({ name, description = '' }) => [name === named.typed ? '<words...>' : `<${optionOf(name)}>`, description]),
    options: [
      ...operation.parameters
        .filter((each) => each.in === 'query' && each.name !== named.typed)
        .map(({ name, schema = {}, description = '' }) => {
          return [`--${optionOf(name)} <${placeholder(schema)}>`, toldOf({ ...schema, description })] as const;
        }),
      ...(list ? ([['--all', 'every page, as one']] as const) : []),
      ...fields.map(([name, field]) => [`--${optionOf(name)} <${placeholder(field)}>`, toldOf(field)] as const),
      ...(fields.length > 0 ? ([['--body <file>', 'all of it as JSON; - is stdin']] as const) : []),
    ],
    examples: [exampleOf(operation, named, document)],
    json: answerSchema(operation, document),
    operations: [id],
    run: async (call) => {
      const body = await bodyOf(call, fields, named);
      const query = queryOf(call, operation, named);
      askedForAll(operation, document, query, body);
      await askedFirst(call, named.words, named, body);
      const service = call.service();
      const ask = (cursor?: string): Promise<unknown> =>
        service.call(operation.method, pathOf(operation, call.args), {
          query: { ...query, ...(cursor !== undefined && { cursor }) },
          ...(operation.body && { body }),
          ...(!operation.answer && { expected: 'nothing' }),
        });
      const answer = list && call.flag('all') ? await wholeList(ask) : await ask();
      showAnswer(call.out, answer, named);
      return hasFound(answer, named) ? exit.finding : exit.done;
    },
  };
};
