import { readOwnKey, readOwnKeyOperation } from '../../../lib/zernio/own-key.ts';
import { apiHandler } from '../../middleware/api.ts';

/** The record of the calling key. */
export const build = apiHandler(readOwnKeyOperation, {}, async ({ context }) => ({
  status: 200,
  body: { key: await readOwnKey(context) },
}));
