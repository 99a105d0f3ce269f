import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/project.mjs';

main(async () => {
  await ensureInstalled();
  return 0;
});
