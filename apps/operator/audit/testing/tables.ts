import { migrations as audit } from '#audit';
import { migrations as engine } from '#engine';
import { migrations as log } from '#event-log/postgres';
import { migrations as partners } from '#partners';
import { migrations as readModels } from '#read-models';
import { migrations as receipts } from '#receipts';

export const tables = [partners, log, readModels, receipts, engine, audit];
