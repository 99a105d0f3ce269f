import type { App } from '#door/app';
import { api } from '../api/api.ts';
import { engine } from '../engine/engine.ts';
import { notifier } from '../notifier/notifier.ts';
import { operator } from '../operator/operator.ts';
import { projector } from '../projector/projector.ts';
import { watcher } from '../watcher/watcher.ts';

/** Everything in one process. */
export const all: readonly App[] = [api, operator, engine, projector, notifier, watcher];

/** Those that are asked for by name; without a name all. */
export const named = (names: readonly string[]): readonly App[] =>
  names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
