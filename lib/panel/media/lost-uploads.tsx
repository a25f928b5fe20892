import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { words } from '../words/words.ts';
import { dismissLost, lostUploads } from './uploads.ts';

/** Names the uploads that a reload has ended. @param owner the list of files that they were for */
export function LostUploads({ owner }: { owner: string }) {
  const lost = useStore(lostUploads).filter((each) => each.owner === owner);
  if (lost.length === 0) return null;
  return (
    <Notice
      tone="warn"
      title={words.media.lost.title(lost.length)}
      isLive
      actions={
        <Button size="small" onPress={() => dismissLost(owner)}>
          {words.shared.actions.dismiss}
        </Button>
      }
    >
      {words.media.lost.text(lost.map(({ fileName }) => fileName))}
    </Notice>
  );
}
