const { options } = require('./.dependency-cruiser.cjs');

/** Folders as a whole: a spec may lie beside what it tests and use what stands above it, so none is looked at here. */
module.exports = {
  forbidden: [
    {
      name: 'no-circular-folders',
      comment: 'Two folders that need each other are one folder, or hide a third that both stand on.',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: { ...options, exclude: { path: ['\\.spec\\.ts$', '/testing/'] } },
};
