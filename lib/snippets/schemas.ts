import * as z from 'zod';
import { Id, Timestamp } from '../api-contract/fields.ts';
import { isReadable, unreadableProblem } from '../kernel/readable-names.ts';

/** Limits for saved texts. */
export const maxSnippets = 500;
export const maxSnippetCharacters = 10_000;
export const maxSnippetNameCharacters = 100;

export const SnippetKind = z.enum(['text', 'hashtags']).meta({ id: 'SnippetKind' });
export type SnippetKind = z.infer<typeof SnippetKind>;

export const SnippetName = z
  .string()
  .overwrite((name) => name.normalize('NFC').trim())
  .min(1)
  .max(maxSnippetNameCharacters)
  .refine(isReadable, unreadableProblem);

/** A pattern for control characters that no text needs. */
const needless = /[^\P{Cc}\t\n\r]/u;

export const SnippetContent = z
  .string()
  .max(maxSnippetCharacters)
  .refine((text) => text.trim() !== '', { error: 'must not be empty', params: { code: 'field_too_short' } })
  .refine(
    (text) => text.isWellFormed() && !needless.test(text),
    'must not contain control characters other than line breaks and tabs',
  )
  .meta({ description: 'Its text. `{{name}}` is a variable' });

/** A saved text, as stored. */
export const Snippet = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** The `kind` of the API. The item's own `kind` is that of all saved texts. */
  use: SnippetKind,
  name: z.string(),
  content: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Snippet = z.infer<typeof Snippet>;

export const SnippetView = z
  .object({
    id: z.uuid(),
    kind: SnippetKind,
    name: z.string(),
    content: z.string(),
    variables: z.array(z.string()).meta({ description: 'The variables of `content`, each once, in order' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: 'Snippet', description: 'A text or a set of hashtags, saved for the posts of a workspace' });
export type SnippetView = z.infer<typeof SnippetView>;

/** Limits for the saved texts of one request. */
const maxSnippetsOfPost = 10;
const maxVariableCharacters = 1_000;

/** References of a request to saved texts. */
export const SnippetReferences = z
  .array(
    z
      .object({
        id: Id,
        variables: z
          .record(z.string(), z.string().max(maxVariableCharacters))
          .optional()
          .meta({ description: 'Values of its variables, by name. Built-in ones may be left out' }),
      })
      .meta({ id: 'SnippetReference' }),
  )
  .max(maxSnippetsOfPost)
  .meta({
    description:
      'Saved texts to add to the end of `content`, in this order, each after an empty line. The post stores and shows the whole text, and keeps it if a saved text changes later. `customContent` and the chain do not get them',
  });
export type SnippetReferences = z.infer<typeof SnippetReferences>;
