import { ensureBuilt } from './lib/build.mjs';
import { ensureBundled } from './lib/bundle.mjs';
import { findChromium } from './lib/chromium.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { browserSpec, inCi, report, runJest, specFiles } from './lib/jest.mjs';
import { main } from './lib/project.mjs';

const withoutBrowser = (error) => {
  const files = specFiles().filter((file) => browserSpec.test(file));
  for (const file of files) console.log(`left out${inCi ? ', which CI does not allow' : ''}: ${file}`);
  console.log(`No Chromium: set CHROMIUM, install it, or mend this: ${error.message}`);
  return report({ passed: 0, failed: inCi ? files.length : 0 });
};

main(async (args) => {
  await ensureInstalled();
  await ensureBuilt();
  await ensureBundled();
  try {
    Object.assign(process.env, await findChromium());
  } catch (error) {
    return withoutBrowser(error);
  }
  return report(await runJest(args, ['--runInBand', '--testMatch', '**/*.browser.spec.ts']));
});
