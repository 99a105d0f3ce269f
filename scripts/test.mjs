import { ensureInstalled } from './lib/install.mjs';
import {
  browserSpec,
  dockerSpec,
  engineSpec,
  processSpec,
  report,
  runJest,
  specFiles,
  useAllCores,
} from './lib/jest.mjs';
import { main } from './lib/project.mjs';

const choosesByName = (args) => args.some((arg) => /^(-t|--testNamePattern)\b/.test(arg));

const nameLeftOut = (leftOut) => {
  for (const test of leftOut) console.log(`left out: ${test}`);
  const files = (kind) => specFiles().filter((file) => kind.test(file)).length;
  console.log(
    `left out: test files that start the product as a user does (${files(processSpec)}): npm run test:processes`,
  );
  console.log(
    `left out: test files that need an engine or kill for a minute (${files(engineSpec)}): npm run test:engines`,
  );
  console.log(`left out: test files that need Chromium (${files(browserSpec)}): npm run test:browser`);
  console.log(`left out: test files that need Docker (${files(dockerSpec)}): npm run test:docker`);
};

useAllCores();

main(async (args) => {
  await ensureInstalled();
  const result = await runJest(args, [
    '--testPathIgnorePatterns',
    '/node_modules/',
    engineSpec.source,
    dockerSpec.source,
    browserSpec.source,
    processSpec.source,
  ]);
  nameLeftOut(choosesByName(args) ? [] : result.leftOut);
  return report(result);
});
