import { formatBytes } from '../../bytes.ts';
import { Icon } from '../../components/icon.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Status } from '../../components/status.tsx';
import { firstTab } from '../../shell/pages.ts';
import { words } from '../../words/words.ts';
import type { Concern } from './concerns.ts';
import { Row } from './row.tsx';
import classes from './rows.module.css';

const texts = words.nowPage.storage;
const settings = { to: '/settings/{-$tab}', params: firstTab } as const;

/** The storage is nearly full. */
export function StorageRow({ concern }: { concern: Extract<Concern, { kind: 'storage' }> }) {
  const { usedBytes, quotaBytes } = concern;
  const isFull = usedBytes >= quotaBytes;
  return (
    <Row
      mark={
        <span className={classes['iconMark']}>
          <Icon name="image" />
        </span>
      }
      title={<Link {...settings}>{isFull ? texts.full : texts.near}</Link>}
      state={
        <Status tone={isFull ? 'bad' : 'warn'}>
          {texts.used(formatBytes(usedBytes), formatBytes(quotaBytes))}
        </Status>
      }
      action={
        <ButtonLink {...settings} size="small">
          {texts.look}
        </ButtonLink>
      }
    >
      <p className={classes['reason']}>{isFull ? texts.fullText : texts.nearText}</p>
    </Row>
  );
}
