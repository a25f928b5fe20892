import { referenceTo } from '../../access/actor.ts';
import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { checkPublicUrl, type PlainHttpHosts } from '../../http-client/address-guard/public-url.ts';
import { invalidField, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { ImportMediaBody } from '../operations.ts';
import type { Media } from '../schemas.ts';
import { reserveMedia } from '../store.ts';
import { acceptedContentTypes, normalizedContentType } from '../types.ts';
import { isAtMediaHost } from '../urls.ts';
import { tooManyImports } from './open-import.ts';
import { importUrlCharacters, plannedImport } from './plan-import.ts';
import { firstSweepAt } from './records.ts';

export interface ImportContext extends Context {
  readonly plainHttpHosts: PlainHttpHosts;
  /** The media host, without a final slash. */
  readonly mediaBaseUrl: string;
}

/**
 * Stores the record of a file to import. The stream then starts the import. The quota is taken once the length is known.
 *
 * @throws HeraldError `invalid`, `too_many_imports` or `not_found` (no such workspace)
 */
export async function importMedia(context: ImportContext, body: ImportMediaBody): Promise<Media> {
  const { table, workspaceId, now, plainHttpHosts, mediaBaseUrl } = context;
  const url = URL.parse(body.url);
  if (url && isAtMediaHost(mediaBaseUrl, url))
    throw invalidField(
      'url',
      'is an address of this service: refer to the file by its publicUrl',
      'url_not_allowed',
    );
  const checked = checkPublicUrl(body.url, plainHttpHosts, importUrlCharacters);
  if ('problem' in checked) throw invalidField('url', checked.problem, 'url_not_allowed');
  const { filename, contentType } = body;
  if (contentType !== undefined && !acceptedContentTypes.includes(normalizedContentType(contentType)))
    throw invalidField(
      'contentType',
      `must be one of ${acceptedContentTypes.join(', ')}`,
      'field_unknown_value',
    );
  const id = newId(now);
  const uploadedBy = referenceTo(context.actor);
  const media = plannedImport({ workspaceId, id, url: checked.url, filename, contentType, uploadedBy, now });
  const outcome = await reserveMedia(table, media, firstSweepAt(now), [
    auditPart(context, { id, name: media.filename }),
  ]);
  if (typeof outcome === 'object') throw tooManyImports(outcome.openImports, ['url']);
  if (outcome !== 'reserved') throw notFound('workspace');
  return media;
}
