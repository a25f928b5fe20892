import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedShapes } from '../../../lib/media/renditions/adapt.ts';
import { adaptedFiles, askedShape, placeIn, shownAs } from '../../../lib/panel/media/adapted.ts';
import { adaptation } from '../compose/support/serve.ts';
import { instagram, threads } from '../support/accounts.ts';
import { draftMedia } from '../support/media.ts';

const [one, other, own] = ['one.jpg', 'other.jpg', 'own.jpg'].map((name) => `https://media.test/${name}`);
const about = JSON.stringify({
  coverUrl: other,
  mediaItems: [{ url: one }, { url: other }],
  platforms: [{}, { customMedia: [{ url: own }] }],
});

describe('an adaptation', () => {
  it.each([
    ['mediaItems[1]', 1, other],
    ['platforms[1].customMedia[0]', 0, own],
    ['coverUrl', undefined, other],
  ])('of %s is about a file of the request that was checked', (field, place, original) => {
    const [found] = adaptedFiles({ about, adaptations: [adaptation(instagram, { field })] });
    expect(found).toMatchObject({ accountId: instagram.id, original });
    expect(found?.place).toBe(place);
    expect(placeIn(field)).toBe(place);
  });

  it.each(['chain[0].mediaItems[0]', 'mediaItems[7]', 'platforms[0].customMedia[0]'])(
    'of %s is about no file of a destination',
    (field) => {
      expect(adaptedFiles({ about, adaptations: [adaptation(threads, { field })] })).toEqual([]);
    },
  );

  it('is not known before the service has answered', () => {
    expect(adaptedFiles(undefined)).toEqual([]);
    expect(adaptedFiles({ about })).toEqual([]);
  });
});

describe('a file', () => {
  const file = draftMedia(1, 'tall.jpg', { widthPixels: 1_000, heightPixels: 2_000 });

  it('is shown as it is, unless it is adapted', () => {
    expect(shownAs(file, undefined, { fit: 'crop' })).toBe(file);
  });

  it('is shown in the size and form in which it is sent', () => {
    const asked = { fit: 'pad', padColor: '#1a2b3c', focalPoint: { x: 0.1, y: 0.2 } } as const;
    const cropped = shownAs(file, adaptation(instagram), { ...asked, fit: 'crop' });
    expect(cropped).toMatchObject({
      widthPixels: 1_080,
      heightPixels: 1_350,
      sent: { fit: 'crop', focalPoint: { x: 0.1, y: 0.2 } },
    });
    const padded = shownAs(file, adaptation(instagram), asked);
    expect(padded.sent).toMatchObject({ fit: 'pad', background: '#1a2b3c' });
  });

  it('that is only converted keeps its shape, on white where it is transparent', () => {
    const converted = adaptation(threads, { changes: ['format'], width: 1_000, height: 2_000 });
    expect(shownAs(file, converted, { fit: 'crop' }).sent).toEqual({ background: '#ffffff' });
  });

  it('that is a video keeps its picture', () => {
    const video = draftMedia(2, 'roast.mp4');
    const repackaged = adaptation(instagram, { changes: ['container'], contentType: 'video/mp4' });
    expect(shownAs(video, repackaged, {}).sent).toBeUndefined();
  });
});

describe('the shape that a destination asks for', () => {
  const shape = fc.record(
    {
      fit: fc.constantFrom('pad' as const, 'crop' as const),
      padColor: fc.constantFrom('#000000', '#ffffff'),
      focalPoint: fc.constantFrom({ x: 0, y: 0 }, { x: 1, y: 1 }),
    },
    { requiredKeys: [] },
  );

  it('is the same as the service reads from the request', () => {
    fc.assert(
      fc.property(shape, shape, fc.boolean(), (ofFile, ofDestination, hasOwn) => {
        const asked = askedShapes({ ...ofDestination, ...(hasOwn && { mediaItems: [] }) }, [ofFile]);
        const destination = { shape: ofDestination, ...(hasOwn && { media: [] }) };
        expect(askedShape(destination, { shape: ofFile })).toEqual(asked.media[0]);
        expect(askedShape(destination, undefined)).toEqual(asked.cover);
      }),
    );
  });
});
