import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

type Violation = { readonly id: string; readonly help: string; readonly nodes: readonly { readonly html: string }[] };

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds wrong: evaluated by the debugger, to which the page's policy does not apply. */
const violationsIn = async (page: Page): Promise<string[]> => {
  await page.evaluate(await source);
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return found.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
};

const scrollsSideways = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/** Light and dark, and as narrow as a telephone: the same as 200 % on a screen of 720. */
export const expectAccessible = async (page: Page): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await violationsIn(page)]).toEqual([colorScheme, []]);
  }
  for (const width of [360, 640]) {
    await page.setViewportSize({ width, height: 800 });
    expect([width, await scrollsSideways(page)]).toEqual([width, false]);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
};
