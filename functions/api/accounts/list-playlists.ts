import { listPlaylists } from '../../../lib/accounts/ask-platform.ts';
import { listPlaylistsOperation } from '../../../lib/accounts/operations.ts';
import { playlistsReaderFor } from '../../../lib/platforms/registry/playlists.ts';
import { apiHandler } from '../../middleware/api.ts';
import { accountTokens } from '../../wire/account-ports.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `GET /v1/accounts/{id}/playlists` */
export const build = apiHandler(listPlaylistsOperation, { toolsFor, vault }, async ({ context, path }) => {
  const tokens = accountTokens(context);
  const ports = { playlistsReaderFor, accessToken: tokens.accessToken.bind(tokens) };
  return { status: 200, body: { playlists: await listPlaylists({ ...context, ...ports }, path.id) } };
});
