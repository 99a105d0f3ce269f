import { readFileSync, writeFileSync } from 'node:fs';
import { keptOperations } from './kept-operations.ts';

const [from = '', to = ''] = process.argv.slice(2);
writeFileSync(to, keptOperations(readFileSync(from, 'utf8')));
