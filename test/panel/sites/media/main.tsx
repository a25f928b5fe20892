/** A page with the editor of files and the previews, for their tests. The address says what is in the draft. */
import '../../../../lib/panel/styles/tokens.css';
import '../../../../lib/panel/styles/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { createRoot } from 'react-dom/client';
import type { Account } from '../../../../lib/panel/accounts/account.ts';
import { newQueryClient } from '../../../../lib/panel/api/query-client.ts';
import { type Me, session } from '../../../../lib/panel/api/session.ts';
import { workspaceChoice } from '../../../../lib/panel/api/workspace-choice.ts';
import { Section } from '../../../../lib/panel/components/section.tsx';
import { TextArea } from '../../../../lib/panel/components/text-area.tsx';
import ToastRegion from '../../../../lib/panel/components/toast.tsx';
import { coverOptions } from '../../../../lib/panel/media/cover.ts';
import type { CoverChoice, DraftMedia } from '../../../../lib/panel/media/draft-media.ts';
import { MediaEditor } from '../../../../lib/panel/media/media-editor.tsx';
import { PostPreview } from '../../../../lib/panel/previews/post-preview.tsx';
import { SessionDialog } from '../../../../lib/panel/shell/session-dialog.tsx';
import { PlaceProvider } from '../../../../lib/panel/workspace.tsx';

interface Draft {
  readonly media: readonly DraftMedia[];
  readonly mostItems: number;
  readonly problems: readonly (readonly [place: number, problems: readonly string[]])[];
  readonly isDisabled: boolean;
  readonly content: string;
  readonly previews: readonly {
    readonly account: Account;
    readonly options: Readonly<Record<string, unknown>>;
  }[];
}

const usual: Draft = { media: [], mostItems: 10, problems: [], isDisabled: false, content: '', previews: [] };
const draft: Draft = { ...usual, ...JSON.parse(decodeURIComponent(location.hash.slice(1)) || '{}') };

/** The composer keeps the draft in the browser. */
const kept = JSON.parse(localStorage.getItem('draft') ?? 'null') as readonly DraftMedia[] | null;

function Composer() {
  const [media, setMedia] = useState(kept ?? draft.media);
  const [cover, setCover] = useState<CoverChoice>({});
  const [pending, setPending] = useState(0);
  const [content, setContent] = useState(draft.content);
  const [isShown, setShown] = useState(true);
  const platforms = draft.previews.map(({ account }) => account.platform);
  const change = (value: readonly DraftMedia[]) => {
    localStorage.setItem('draft', JSON.stringify(value));
    setMedia(value);
  };
  return (
    <main>
      <h1>New post</h1>
      <TextArea label="Text" value={content} onChange={setContent} />
      <button type="button" onClick={() => setShown(!isShown)}>
        Other tab
      </button>
      {isShown && (
        <Section title="Files" isCard>
          <MediaEditor
            value={media}
            onChange={change}
            onPendingChange={setPending}
            mostItems={draft.mostItems}
            problems={new Map(draft.problems)}
            isDisabled={draft.isDisabled}
            draftKey="draft-1"
            platforms={platforms}
            cover={cover}
            onCoverChange={setCover}
          />
        </Section>
      )}
      <output hidden>{JSON.stringify({ pending, media, cover })}</output>
      {draft.previews.map(({ account, options }) => (
        <section key={account.id} aria-label={account.platform}>
          <PostPreview
            account={account}
            content={content}
            media={media}
            cover={cover.image}
            options={{ ...coverOptions(account.platform, cover.frameMs), ...options }}
          />
        </section>
      ))}
    </main>
  );
}

const me = (await (await fetch('/api/panel/me')).json()) as Me;
const [workspace] = me.workspaces;
const place = document.getElementById('panel');
if (place && workspace) {
  session.begin(me);
  workspaceChoice.choose(workspace.id);
  createRoot(place).render(
    <I18nProvider locale="en-GB">
      <QueryClientProvider client={newQueryClient()}>
        <PlaceProvider value={{ me, workspace }}>
          <Composer />
          <ToastRegion />
          <SessionDialog />
        </PlaceProvider>
      </QueryClientProvider>
    </I18nProvider>,
  );
}
