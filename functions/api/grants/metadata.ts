import { resourceMetadata, serverMetadata } from '../../../lib/people/grants/metadata.ts';
import { protectedResourcePath } from '../../../lib/people/grants/resources.ts';
import { jsonReply } from '../../middleware/reply.ts';
import { routeHandler } from '../../middleware/route.ts';
import { publicBaseUrl } from '../../wire/settings.ts';

const anyOrigin = { 'access-control-allow-origin': '*' };

/** The metadata by which clients find the authorization server, for pages of any site too: it is public. */
export const build = routeHandler({ publicBaseUrl }, ({ publicBaseUrl }) => async ({ routeKey }) => {
  const [, path = ''] = routeKey.split(' ');
  const [, resource] = path.split(protectedResourcePath);
  const found =
    resource === undefined
      ? serverMetadata(publicBaseUrl)
      : resourceMetadata(publicBaseUrl, resource === '' ? undefined : resource);
  const reply = jsonReply(200, found);
  return { ...reply, headers: { ...reply.headers, ...anyOrigin, 'cache-control': 'public, max-age=300' } };
});
