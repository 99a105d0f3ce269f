import { render } from 'preact';
import { App } from './app.tsx';
import { showAllTextSafely } from './parts/shown-text.ts';
import { followLinks } from './router.ts';

const root = document.getElementById('console');
showAllTextSafely();
followLinks();
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
