/** Which import may go where: the rules of docs/explanation/architecture.md, checked by `npm run lint`. */
const pure = ['money', 'deposits', 'legacy-transactions'];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two modules that need each other are one module, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'not-to-unresolvable',
      comment: 'An import that resolves to nothing fails only at run time.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'not-to-dev-dependencies',
      comment: 'What runs in production may not need what only the workshop installs.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '(\\.spec\\.ts$|/contract/|/testing/)' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'libs-not-to-apps',
      comment: 'Apps compose, libs do: imports go from apps to libs.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^(apps|bench)/' },
    },
    {
      name: 'product-not-to-tests',
      comment: 'The product does not lean on its test engines or benches.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '\\.spec\\.ts$' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'libs-through-their-door',
      comment: 'A lib is used through its index (#lib or #lib/part), so that its inside can change.',
      severity: 'error',
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '/index\\.ts$'] },
    },
    {
      name: 'apps-use-libs-through-their-door',
      comment: 'A lib is used through its index (#lib or #lib/part), so that its inside can change.',
      severity: 'error',
      from: { path: '^(apps|bench)/' },
      to: { path: '^libs/', pathNot: '/index\\.ts$' },
    },
    {
      name: 'pure-core',
      comment: 'The core knows no framework, no clock and no I/O: it may import money and decimals alone.',
      severity: 'error',
      from: { path: `^libs/(${pure.join('|')})/`, pathNot: '\\.spec\\.ts$' },
      to: { pathNot: ['^libs/money/', `^libs/(${pure.join('|')})/`, 'node_modules/decimal\\.js'] },
    },
    {
      name: 'event-log-stands-alone',
      comment: 'The log is the ground: of the libs it may use platform alone.',
      severity: 'error',
      from: { path: '^libs/(event-log|bus)/', pathNot: '(\\.spec\\.ts$)' },
      to: { path: '^libs/', pathNot: '^libs/(event-log|bus|platform)/' },
    },
    {
      name: 'platform-is-the-bottom',
      comment: 'Platform serves every other lib, so it can know none of them.',
      severity: 'error',
      from: { path: '^libs/platform/' },
      to: { path: '^libs/', pathNot: '^libs/platform/' },
    },
    {
      name: 'event-store-client-in-one-place',
      comment: 'The client of EventStoreDB stays behind the port, in its adapter.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^libs/event-log/eventstoredb/' },
      to: { path: 'node_modules/@eventstore/' },
    },
    {
      name: 'kafka-client-in-one-place',
      comment: 'kafkajs is no longer maintained: it stays behind the bus port, in one folder.',
      severity: 'error',
      from: { path: '^(apps|libs)/', pathNot: '^libs/bus/kafka/' },
      to: { path: 'node_modules/kafkajs' },
    },
    {
      name: 'nest-not-in-ports',
      comment: 'The log, the bus and the core are plain functions: Nest wires them, they do not know it.',
      severity: 'error',
      from: { path: '^libs/(event-log|bus|read-models|money|deposits)/', pathNot: '\\.module\\.ts$' },
      to: { path: 'node_modules/@nestjs/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
