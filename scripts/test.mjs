import { ensureInstalled } from './lib/install.mjs';
import { engineSpec, report, runJest, specFiles } from './lib/jest.mjs';
import { main } from './lib/project.mjs';

const choosesByName = (args) => args.some((arg) => /^(-t|--testNamePattern)\b/.test(arg));

const nameLeftOut = (leftOut) => {
  for (const test of leftOut) console.log(`left out: ${test}`);
  const engineFiles = specFiles().filter((file) => engineSpec.test(file)).length;
  console.log(`left out: test files that need EventStoreDB or Kafka (${engineFiles}): npm run test:engines`);
};

main(async (args) => {
  await ensureInstalled();
  const result = await runJest(args, ['--testPathIgnorePatterns', '/node_modules/', engineSpec.source]);
  nameLeftOut(choosesByName(args) ? [] : result.leftOut);
  return report(result);
});
