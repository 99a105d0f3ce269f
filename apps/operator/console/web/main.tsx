import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './router.ts';

const root = document.getElementById('console');
followLinks();
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
