/** Which import may go where: the rules of docs/explanation/architecture.md, checked by `npm run lint`. */
const { pure, mayUse } = require('./.dependency-cruiser-floors.cjs');

const downwards = Object.entries(mayUse).map(([lib, others]) => ({
  name: `${lib}-stands-on-its-floor`,
  comment: 'Among libs imports go downwards, to what the table of floors beside this file names.',
  severity: 'error',
  from: { path: `^libs/${lib}/` },
  to: { path: '^libs/', pathNot: `^libs/(${[lib, ...others].join('|')})/` },
}));

/** Where HTTP is spoken: libs answer with unions, and what becomes of those on the wire is said here. */
const door = '^(apps/|libs/door/)';

/** Packages that one place alone may know, so that it can be exchanged, guarded or given up there. */
const kept = [
  ['eventstoredb', '@eventstore/', '^libs/event-log/eventstoredb/', 'The client stays behind the port of the log.'],
  ['kafka', 'kafkajs', '^libs/bus/kafka/', 'kafkajs is no longer maintained: it stays behind the port of the bus.'],
  ['typeorm', 'typeorm', '^libs/read-models/deposits/', 'It reads the rows of deposits; all else is plain SQL.'],
  ['openid', 'openid-client', '^apps/operator/console/provider/', 'What a provider says is believed in one place.'],
  ['smtp', 'nodemailer', '^libs/messages/carriers/', 'Only the outbox writes to players.'],
  ['commander', 'commander', '^apps/cli/', "Commands say what they are; program.ts alone makes them commander's."],
  ['keys', '@scure/', '^libs/addresses/', 'Keys and addresses of chains are made in one place.'],
  ['curves', '@noble/', '^libs/(addresses|chains/ethereum)/', 'Whose key it was is told where a chain says no more.'],
  ['webhook-client', 'undici', '^libs/webhooks/safe-http/', 'Only the guarded client calls strangers.'],
  [
    ...['ip-addresses', 'ipaddr\\.js', '^libs/(webhooks/safe-http/|door/http/address-of)'],
    'What an address means is said once of whoever is called, and once of whoever calls.',
  ],
  ['phones', 'libphonenumber-js', '^libs/kyc/', 'What a number is, and when two are one, is said in one place.'],
  ['decimals', 'decimal\\.js', '^libs/money/', 'Money is counted by the rules of #money alone.'],
  ['command-bus', '@nestjs/cqrs/', `${door}|^libs/deposit-commands/cqrs/`, 'Commands on deposits have one bus.'],
  ['nest', '@nestjs/(?!cqrs/)', door, 'Libs are plain functions: Nest wires them at the door, they do not know it.'],
  ['fastify', '@?fastify', door, 'HTTP is answered at the door alone.'],
].map(([what, packages, keeper, comment]) => ({
  name: `${what}-in-one-place`,
  comment,
  severity: 'error',
  from: { path: '^(apps|libs)/', pathNot: [keeper, '/testing/'] },
  to: { path: `node_modules/${packages}` },
}));

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
      from: { path: '^(apps|libs)/', pathNot: ['\\.spec\\.ts$', '/testing/'] },
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
      name: 'deposits-have-a-floor',
      comment: 'What a deposit and its events are made of knows nobody who decides about them or reads them.',
      severity: 'error',
      from: { path: '^libs/deposits/floor/' },
      to: { path: '^libs/deposits/', pathNot: '^libs/deposits/floor/' },
    },
    {
      name: 'deposits-rooms-know-no-roof',
      comment: 'A room of deposits decides its own; what puts the rooms together lies above them.',
      severity: 'error',
      from: { path: '^libs/deposits/[^/]+/', pathNot: ['/testing/', '\\.spec\\.ts$'] },
      to: { path: '^libs/deposits/[^/]+\\.ts$' },
    },
    {
      name: 'floors-are-told',
      comment: 'Every lib has its line in the table of floors beside this file.',
      severity: 'error',
      from: { path: '^libs/', pathNot: `^libs/(${Object.keys(mayUse).join('|')})/` },
      to: { path: '^libs/' },
    },
    ...downwards,
    {
      name: 'runner-knows-no-deposit',
      comment: 'The runner of projections serves every projection; what it runs is named by whoever starts it.',
      severity: 'error',
      from: { path: '^libs/read-models/', pathNot: '^libs/read-models/(deposits|legacy-transactions)/' },
      to: {
        path: [
          '^libs/read-models/(deposits|legacy-transactions)/',
          '^libs/(deposits|deposit-commands|legacy-transactions|legacy-commands|money)/',
        ],
      },
    },
    {
      name: 'no-app-knows-another',
      comment: 'Each app can run as a process of its own: what two of them share is in a lib. apps/all alone composes.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/', pathNot: '^apps/all/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    ...require('./.dependency-cruiser-edges.cjs'),
    ...kept,
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { conditionNames: ['source', 'import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
