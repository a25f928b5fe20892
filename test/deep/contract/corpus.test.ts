import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { boardIdOf } from '@herald/platform-simulators/pinterest/state.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adaptContent } from '../../../lib/media/renditions/adapt.ts';
import { openRenderer } from '../../../lib/media/renditions/render.ts';
import { mediaTypeOf } from '../../../lib/media/types.ts';
import type { MediaSource, PublishJob } from '../../../lib/platforms/contract/adapter.ts';
import { PlatformError } from '../../../lib/platforms/contract/errors.ts';
import { type Platform, platformNames } from '../../../lib/platforms/contract/names.ts';
import type { DescribedMedia } from '../../../lib/platforms/contract/rules.ts';
import { rulesFor } from '../../../lib/platforms/registry/rules.ts';
import { type Fixture, openFixture } from '../../contract/fixture.ts';
import { login, rowOf } from '../../contract/rows.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import {
  corpus,
  describeCorpusFile,
  readCorpusFile,
  stretchedFile,
  uploadTypeOf,
} from '../../support/media-corpus.ts';
import { openInMemory } from '../../support/simulated-platform.ts';

const programPath = join(import.meta.dirname, '../../../lib/media/renditions/render-process.ts');
const names = Object.entries(corpus.files).flatMap(([name, { refused }]) => (refused ? [] : [name]));

/** The options that a platform demands. */
const optionsOf: Partial<Record<Platform, PublishJob['options']>> = {
  pinterest: { boardId: boardIdOf(login, 'Harbour') },
  tiktok: { privacyLevel: 'SELF_ONLY' },
  youtube: { title: 'A title' },
};

/** The bytes that platforms download, by the path of their address. */
const served = new Map<string, { readonly bytes: Buffer; readonly contentType: string }>();
const server = createServer((request, response) => {
  const file = served.get(request.url ?? '');
  response.writeHead(file ? 200 : 404, { 'content-type': file?.contentType ?? 'text/plain' });
  response.end(file?.bytes);
});

let fixtures: FixtureServer;
let folder: string;
beforeAll(async () => {
  fixtures = await serveFixtures();
  folder = await mkdtemp(join(tmpdir(), 'herald-corpus-'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  fixtures.close();
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true });
});

function sourceOf(path: string, bytes: Buffer, contentType: string, media: DescribedMedia): MediaSource {
  served.set(path, { bytes, contentType });
  const { widthPixels, heightPixels, durationSeconds } = media;
  return {
    type: mediaTypeOf(contentType),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    contentType,
    sizeBytes: bytes.length,
    widthPixels,
    heightPixels,
    durationSeconds,
    openRange: async (first, last) => Readable.from([bytes.subarray(first, last + 1)]),
  };
}

/** Publishes the file as the only one of a post, and returns `live` or the reason of the platform or the adapter. */
async function outcomeOf(
  fixture: Fixture,
  options: PublishJob['options'],
  source: MediaSource,
): Promise<string> {
  const publisher = await fixture.publisher({ content: 'Hello', media: [source], options });
  try {
    await publisher.publish();
    return 'live';
  } catch (error) {
    if (error instanceof PlatformError) return error.message;
    throw error;
  }
}

/**
 * The simulators read files by other code than the probe, so a rule that is laxer than the platform, or a rendition that is not what
 * its recipe says, shows here.
 */
describe.each(platformNames)('%s', (platform) => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture(rowOf(platform), fixtures, openInMemory);
  });
  afterEach(() => fixture.close());

  it.each(names)('publishes what its rules take, as it is or adapted: %s', async (name) => {
    const rules = await rulesFor(platform);
    if (!rules) throw new Error(`${platform} has no rules`);
    const options = optionsOf[platform] ?? {};
    const media = await describeCorpusFile(name);
    const content = { content: 'Hello', media: [media], options };
    const isRefused = rules.check(content).length > 0;
    const original = { contentType: uploadTypeOf(name), bytes: readCorpusFile(name) };

    const adapted = adaptContent(rules, content, { media: [{}] });
    const [adaptation] = adapted.adaptations;
    const asItIs = sourceOf(`/${platform}/${name}`, original.bytes, original.contentType, media);
    const outcome = await outcomeOf(fixture, options, asItIs);
    if (isRefused) expect(outcome).not.toBe('live');
    // Documents and reports disagree about a file that is only advised against.
    else if (!adaptation) expect(outcome).toBe('live');
    if (!adaptation || rules.check(adapted.content).length > 0) return;
    const render = openRenderer({ programPath, environment: {}, timeLimitMs: 120_000 });
    const readRange = async (first: number, last: number) => original.bytes.subarray(first, last + 1);
    const rendered = await render(
      adaptation.recipe,
      { contentType: original.contentType, sizeBytes: original.bytes.length, readRange },
      folder,
    );
    if (rendered.state === 'failed') {
      // The probe does not count the frames of all fragments.
      expect([name, rendered.reason]).toEqual([
        'fragmented-after-index.mp4',
        expect.stringContaining('it would have to be encoded again'),
      ]);
      return;
    }
    const { contentType } = adaptation.recipe;
    const bytes = stretchedFile(`rendition.${contentType.split('/')[1]}`, await readFile(rendered.path));
    const file = adapted.content.media[0] ?? media;
    const rendition = sourceOf(`/${platform}/rendition-of-${name}`, bytes, contentType, file);
    expect(await outcomeOf(fixture, options, rendition)).toBe('live');
  });
});
