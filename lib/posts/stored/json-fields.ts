import * as z from 'zod';
import { FreeForm } from '../../api-contract/fields.ts';
import type { StoredChainStep } from './chain-schemas.ts';
import type { Post } from './schemas.ts';

const Pairs = z.record(z.string(), z.string());

/**
 * Returns metadata in its stored form: JSON text, because the SDK cannot marshal every object, for example one with the name `constructor`.
 */
export function storedMetadata(
  pairs: Readonly<Record<string, string>> | null | undefined,
): string | undefined {
  return pairs && Object.keys(pairs).length > 0 ? JSON.stringify(pairs) : undefined;
}

/** Returns the pairs that a client attached to a post; empty if there are none. */
export function metadataOf({ metadata = '{}' }: Pick<Post, 'metadata'>): Record<string, string> {
  return Pairs.parse(JSON.parse(metadata));
}

/** Returns the options of a step: `platformSpecificData` by account id. */
export function stepOptions({ options }: Pick<StoredChainStep, 'options'>) {
  return z.record(z.string(), FreeForm).parse(JSON.parse(options));
}
