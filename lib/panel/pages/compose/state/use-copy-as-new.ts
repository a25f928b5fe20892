import { useNavigate } from '@tanstack/react-router';
import type { Draft } from '../draft/draft.ts';
import { useKeptPosts } from './use-kept-draft.ts';

/** Begins a new post with what is in a draft. Its time has to be chosen again, and its external id is that of the other post. */
export function useCopyAsNew(): (draft: Draft) => void {
  const navigate = useNavigate();
  const drafts = useKeptPosts();
  return ({ externalId: _id, isExternalIdUnique: _isUnique, ...draft }) => {
    const id = crypto.randomUUID();
    drafts.set(id, { draft: { ...draft, id, when: { kind: 'at' } }, editedAt: Date.now() });
    void navigate({ to: '/compose', search: { draft: id } });
  };
}
