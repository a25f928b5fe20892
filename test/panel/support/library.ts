import { listMediaOperation } from '../../../lib/media/operations.ts';
import { MediaView } from '../../../lib/media/view.ts';
import { listMediaPostsOperation } from '../../../lib/posts/operations.ts';
import { readWorkspaceOperation } from '../../../lib/workspaces/operations.ts';
import { workspaceOf } from '../settings/support/data.ts';
import { inDays } from './accounts.ts';
import { refusal } from './fake-api.ts';
import { idOf } from './ids.ts';
import { fixture } from './media.ts';
import { answer } from './operation-answers.ts';
import { berlin, type Panel } from './panel.ts';
import { listedPostOf } from './posts.ts';

/** A file of the workspace, whose picture is a fixture. */
export function libraryFile(number: number, filename: string, changes: Partial<MediaView> = {}): MediaView {
  const id = idOf(900 + number);
  const isVideo = filename.endsWith('.mp4');
  const isDocument = filename.endsWith('.pdf');
  const name = isVideo ? 'video.mp4' : isDocument ? 'document.pdf' : 'image.jpg';
  return MediaView.parse({
    id,
    status: 'ready',
    statusMessage: null,
    type: isVideo ? 'video' : 'image',
    filename,
    contentType: isVideo ? 'video/mp4' : isDocument ? 'application/pdf' : 'image/jpeg',
    sizeBytes: 3_400_000 * number,
    sha256: null,
    publicUrl: `https://media.test/media/${berlin}/${id}/${name}`,
    probe: isDocument
      ? null
      : { width: 1_080, height: isVideo ? 1_920 : 1_350, ...(isVideo && { durationMs: 42_000 }) },
    previewUrl: null,
    sourceUrl: null,
    import: null,
    createdAt: inDays(-number),
    ...changes,
  });
}

export const someFiles = [
  libraryFile(1, 'Autumn menu.jpg'),
  libraryFile(2, 'Pouring a flat white, seen from above, in slow motion.mp4'),
  libraryFile(3, 'Prices 2027.pdf'),
  libraryFile(4, 'IMG_2041.jpg'),
  libraryFile(5, 'terrace.jpg', {
    status: 'invalid',
    sizeBytes: null,
    probe: null,
    statusMessage: 'the file is text/html, not image/jpeg',
  }),
  libraryFile(6, 'interview.mp4', { status: 'pending', sizeBytes: null, probe: null }),
  libraryFile(7, 'team.jpg'),
];

interface LibraryService {
  /** The files that the service has. */
  files: readonly MediaView[];
  /** Names of files that a scheduled post needs. */
  readonly needed: Set<string>;
}

/** Answers what the page of files asks. */
export async function serveLibrary({ page, api }: Panel, files = someFiles): Promise<LibraryService> {
  const service: LibraryService = { files, needed: new Set(['team.jpg']) };
  const nameOf = (id: string) => service.files.find((file) => file.id === id)?.filename ?? '';
  answer(api, listMediaOperation, ({ query }) => {
    const asked = (name: string) => query.get(name) ?? undefined;
    const [search = '', kind, status] = [asked('search'), asked('kind'), asked('status')];
    const found = service.files.filter(
      (file) =>
        file.filename.toLowerCase().includes(search.toLowerCase()) &&
        (status === undefined || file.status === status) &&
        (kind === undefined || kind === (file.contentType === 'application/pdf' ? 'document' : file.type)),
    );
    return { media: found, nextCursor: null, warnings: [] };
  });
  answer(api, listMediaPostsOperation, ({ parameters: [id = ''] }) => ({
    posts: service.needed.has(nameOf(id)) ? [listedPostOf(1, { content: 'Meet the team' })] : [],
    nextCursor: null,
    warnings: [],
  }));
  api.on('DELETE /v1/media/{id}', ({ path }) => {
    const id = path.split('/').at(-1) ?? '';
    if (service.needed.has(nameOf(id)))
      return refusal(409, 'media_in_use', `a scheduled post uses the file: ${idOf(1)}`);
    service.files = service.files.filter((file) => file.id !== id);
    return { status: 200, body: { ok: true, warnings: [] } };
  });
  answer(api, readWorkspaceOperation, () => ({ workspace: workspaceOf(), warnings: [] }));
  await page.route('https://media.test/**', (route) => {
    const isVideo = route.request().url().endsWith('.mp4');
    const [name, contentType] = isVideo ? ['video.mp4', 'video/mp4'] : ['image.jpg', 'image/jpeg'];
    return route.fulfill({ body: fixture(name), contentType }).catch(() => undefined);
  });
  return service;
}
