import * as z from 'zod';
import { operation } from '../api-contract/operation.ts';
import { type Download, DownloadError } from '../http-client/address-guard/download.ts';
import { importUrlCharacters } from '../media/imports/plan-import.ts';
import { acceptedContentTypes, mediaTypeOf } from '../media/types.ts';

const InspectedMedia = z.object({
  /** The reason why the file cannot be used; null if it can. */
  problem: z.string().nullable(),
  contentType: z.string().nullable(),
  sizeBytes: z.int().nullable(),
  type: z.enum(['image', 'video', 'unknown']),
});
export type InspectedMedia = z.infer<typeof InspectedMedia>;

/** Reads the headers of a file at a public address, as an import would begin. It has no route of its own. */
export const inspectMediaOperation = operation({
  id: 'inspectMedia',
  handler: 'zernio',
  // It reaches what an import reaches.
  verb: 'media.import',
  method: 'POST',
  path: '/zernio/media',
  summary: 'Look at a file at a public address',
  body: z.object({ url: z.string().min(1).max(importUrlCharacters) }),
  replies: { 200: { description: 'What its server says about it', body: InspectedMedia } },
  settings: ['PLAIN_HTTP_HOSTS'],
  timeoutSeconds: 29,
});

/** @param open opens the file; it is closed after its headers */
export async function inspectMedia(
  open: (url: string, owner: string) => Promise<Download>,
  url: string,
  workspaceId: string,
): Promise<InspectedMedia> {
  try {
    const { body, headers } = await open(url, workspaceId);
    body.destroy();
    const [contentType = ''] = (headers['content-type'] ?? '')
      .split(';')
      .map((part) => part.trim().toLowerCase());
    const size = /^\d{1,15}$/.test(headers['content-length'] ?? '')
      ? Number(headers['content-length'])
      : null;
    const isKnown = acceptedContentTypes.includes(contentType);
    return {
      problem: isKnown
        ? null
        : `its server calls it ${contentType || 'nothing'}, which is no type of a file that can be posted`,
      contentType: contentType === '' ? null : contentType,
      sizeBytes: size,
      type: isKnown ? mediaTypeOf(contentType) : 'unknown',
    };
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    return { problem: error.message, contentType: null, sizeBytes: null, type: 'unknown' };
  }
}
