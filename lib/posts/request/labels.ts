import * as z from 'zod';

/** Limits for the data that clients may attach to a post. */
export const maxMetadataPairs = 20;
export const maxMetadataNameCharacters = 40;
export const maxMetadataValueCharacters = 500;
export const maxExternalIdCharacters = 255;

/** A name that zod's records leave out silently. */
const unstorableName = '__proto__';

const Pairs = z
  .record(z.string(), z.string().max(maxMetadataValueCharacters))
  .superRefine((pairs, context) => {
    const names = Object.keys(pairs);
    const report = (message: string, path: readonly string[] = []) =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if (names.length > maxMetadataPairs) report(`must have at most ${maxMetadataPairs} pairs`);
    for (const name of names) {
      if (name.length < 1 || name.length > maxMetadataNameCharacters)
        report(`the name must have 1 to ${maxMetadataNameCharacters} characters`, [name]);
    }
  });

/** Pairs of texts that a client attaches to a post. Herald only stores and shows them. */
export const Metadata = z
  .preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, unstorableName))
      context.addIssue({ code: 'custom', path: [unstorableName], message: 'cannot be used as a name' });
    return value;
  }, Pairs)
  .meta({
    description: `Up to ${maxMetadataPairs} pairs of your own: names of 1 to ${maxMetadataNameCharacters} characters, values of up to ${maxMetadataValueCharacters}. Shown in reads, lists and events; the posts of the chain have the same`,
  });

/** A client's own id of a post, compared exactly. */
export const ExternalId = z
  .string()
  .min(1)
  .max(maxExternalIdCharacters)
  .meta({ description: 'Your own id of the post. `GET /v1/posts?externalId=` finds the posts that have it' });
