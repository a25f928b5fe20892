import { describe, expect, it } from 'vitest';
import { testFuzzedFiles } from './fuzzed-files.ts';
import { fuzzedFile } from './mutate.ts';

describe('300 damaged and hostile files', () => testFuzzedFiles({ seed: 16, first: 0, count: 300 }));

it('the same seed and number make the same file', () => {
  for (let index = 0; index < 20; index += 1) {
    const [one, again] = [fuzzedFile(3, index), fuzzedFile(3, index)];
    expect(one.bytes.equals(again.bytes)).toBe(true);
    expect({ ...one, bytes: 0 }).toEqual({ ...again, bytes: 0 });
  }
});
