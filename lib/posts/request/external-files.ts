import type { ActorReference } from '../../access/actor.ts';
import { checkPublicUrl, type PlainHttpHosts } from '../../http-client/address-guard/public-url.ts';
import type { InvalidCode } from '../../kernel/error-codes.ts';
import { importUrlCharacters, plannedImport } from '../../media/imports/plan-import.ts';
import type { RequestedMediaItem, RequestedReference } from '../../media/schemas.ts';
import { mediaItem } from '../../media/store.ts';
import { unknownContentType } from '../../media/types.ts';
import { isAtMediaHost, referenceFromUrl, referenceTo } from '../../media/urls.ts';
import type { FoundItems } from '../../table/found-items.ts';
import type { ExternalFile } from '../stored/commit-post.ts';

/** Returns the found items, together with the records of the files that a request imports, as they will be stored. */
export function withImports(
  found: FoundItems,
  { imports = [] }: { readonly imports?: readonly ExternalFile[] },
): FoundItems {
  if (imports.length === 0) return found;
  const planned = new Map(imports.map(({ media }) => [media.id, mediaItem(media)]));
  return { get: (key) => planned.get(key.sk) ?? found.get(key) };
}

/** The reason that a URL of a request cannot be used; `field` if another field is wrong. */
interface UnusableUrl {
  readonly code: InvalidCode;
  readonly problem: string;
  readonly field?: string;
}

/** The maximum number of files that one request may import. With the records of their uses, they fit into one transaction. */
export const maxImports = 50;

interface FileContext {
  readonly workspaceId: string;
  readonly mediaBaseUrl: string;
  readonly plainHttpHosts: PlainHttpHosts;
  readonly newId: () => string;
  /** The key or person that imports the files. */
  readonly uploadedBy: ActorReference;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Turns the URLs of a request into references. The same foreign URL twice is one file. Reads and stores nothing. */
export class ReferencedFiles {
  private readonly context: FileContext;
  private readonly byUrl = new Map<string, ExternalFile>();

  constructor(context: FileContext) {
    this.context = context;
  }

  /** Returns the files to import, in the order of the request. */
  get imports(): readonly ExternalFile[] {
    return [...this.byUrl.values()];
  }

  /**
   * @param field the field of the URL in the request
   * @returns the reference, or the problem with the URL; `field` if another field is wrong
   */
  resolve(item: RequestedMediaItem, field: string): RequestedReference | UnusableUrl {
    const { workspaceId, mediaBaseUrl, plainHttpHosts } = this.context;
    const own = referenceFromUrl(mediaBaseUrl, workspaceId, item);
    if (own) return own;
    const url = URL.parse(item.url);
    if (url && isAtMediaHost(mediaBaseUrl, url))
      return { code: 'media_unknown', problem: 'is not the publicUrl of an upload of this workspace' };
    const checked = checkPublicUrl(item.url, plainHttpHosts, importUrlCharacters);
    if ('problem' in checked)
      return {
        code: 'url_not_allowed',
        problem: `is not the publicUrl of an upload of this workspace, nor a public address: it ${checked.problem}`,
      };
    const external = this.external(checked.url, item, field);
    if (!external)
      return {
        code: 'media_count',
        problem: `is one file too many: a request may import at most ${maxImports}`,
      };
    const { id, objectKey, contentType } = external.media;
    if (item.type === undefined && contentType === unknownContentType)
      return {
        code: 'field_required',
        problem: 'is required: the URL does not say what the file is',
        field: field.replace(/url$/, 'type'),
      };
    return referenceTo(item, id, objectKey);
  }

  private external(
    url: URL,
    { filename, mimeType }: RequestedMediaItem,
    field: string,
  ): ExternalFile | undefined {
    const known = this.byUrl.get(url.href);
    if (known) return known;
    if (this.byUrl.size === maxImports) return undefined;
    const { workspaceId, newId, uploadedBy, now } = this.context;
    const request = {
      workspaceId,
      id: newId(),
      url,
      filename: filename || undefined,
      contentType: mimeType,
      uploadedBy,
      now,
    };
    const external = { field, media: plannedImport(request) };
    this.byUrl.set(url.href, external);
    return external;
  }
}
