type Fields = Readonly<Record<string, unknown>>;

type Told = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Fields[];
  readonly requestBody?: { readonly content?: Fields };
  readonly responses: Readonly<Record<string, { readonly content?: Fields }>>;
};

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Told>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Fields>> };
};

const refsIn = (value: unknown): string[] =>
  (JSON.stringify(value) ?? '').match(/(?<="#\/components\/schemas\/)[^"]+/g) ?? [];

const schemaIn = (content: Fields | undefined): string | undefined => refsIn(content?.['application/json'])[0];

const operationOf = (method: string, path: string, told: Told) => {
  const answered = Object.entries(told.responses).find(([status]) => status.startsWith('2'));
  return {
    ...{ method: method.toUpperCase(), path, summary: told.summary, description: told.description },
    parameters: told.parameters ?? [],
    body: schemaIn(told.requestBody?.content),
    answer: schemaIn(answered?.[1].content),
  };
};

const reached = (names: readonly string[], schemas: Document['components']['schemas'], seen = new Set<string>()) => {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    reached(refsIn(schemas[name]), schemas, seen);
  }
  return seen;
};

const lines = (of: Readonly<Record<string, unknown>>): string =>
  Object.keys(of)
    .sort()
    .map((name) => `    ${JSON.stringify(name)}: ${JSON.stringify(of[name])}`)
    .join(',\n');

/** What apps/cli/operators/operations.json holds: a line for each operation of operators and engines, and each schema. */
export const keptOperations = (text: string): string => {
  const { paths, components } = JSON.parse(text) as Document;
  const operations = Object.fromEntries(
    Object.entries(paths)
      .filter(([path]) => /^\/(operator|engine)\//.test(path))
      .flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, told]) => [told.operationId, operationOf(method, path, told)] as const),
      ),
  );
  const names = Object.values(operations).flatMap(({ body, answer }) =>
    [body, answer].filter((one) => one !== undefined),
  );
  const wanted = reached(names, components.schemas);
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => wanted.has(name)));
  return `{\n  "operations": {\n${lines(operations)}\n  },\n  "schemas": {\n${lines(schemas)}\n  }\n}\n`;
};
