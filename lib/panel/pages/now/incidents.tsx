import type { WorkspaceView } from '../../../workspaces/operations.ts';
import { platformTitles } from '../../accounts/platforms.ts';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { words } from '../../words/words.ts';

const texts = words.nowPage.incidents;

interface IncidentsProps {
  incidents: WorkspaceView['incidents'];
}

/** Says that a platform has trouble, because then posts that wait need nobody. */
export function Incidents({ incidents }: IncidentsProps) {
  return incidents.map(({ platform, since }) => (
    <Notice key={platform} tone="warn" title={texts.title(platformTitles[platform])} isLive>
      {texts.text} <Time at={since} isInline />
    </Notice>
  ));
}
