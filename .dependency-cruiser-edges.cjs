/** Where the house meets the network and the browser. */
module.exports = [
  {
    name: 'http-at-the-door',
    comment: 'Libs know no HTTP, whose statuses are in #door/errors. Only what calls strangers is a client of it.',
    severity: 'error',
    from: { path: '^libs/', pathNot: ['^libs/(door|webhooks/safe-http)/', '/testing/', '\\.spec\\.ts$'] },
    to: { path: '^(node:)?https?2?$' },
  },
  {
    name: 'console-in-the-browser',
    comment: 'What runs in the browser has the pure core, Preact and canonical JSON; of the rest it knows types alone.',
    severity: 'error',
    from: { path: '^apps/operator/console/web/', pathNot: '\\.spec\\.ts$' },
    to: {
      pathNot: [
        '^apps/operator/console/web/',
        '^libs/(money|deposits|csv)/index\\.ts$',
        'node_modules/(preact|canonicalize)/',
      ],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'nobody-imports-the-browser',
    comment: 'The service hands the console out as bytes.',
    severity: 'error',
    from: { pathNot: '^apps/operator/console/web/' },
    to: { path: '^apps/operator/console/web/' },
  },
];
