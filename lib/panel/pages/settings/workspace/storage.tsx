import { useId } from 'react';
import { formatBytes } from '../../../bytes.ts';
import { Meter } from '../../../components/meter.tsx';
import { Notice } from '../../../components/notice.tsx';
import { words } from '../../../words/words.ts';
import classes from './storage.module.css';

const texts = words.settingsPage.workspace;
/** From here on it is time to make space. */
const nearFull = 0.9;

interface StorageProps {
  usedBytes: number;
  quotaBytes: number;
}

/** How much of the quota is used: as a bar, and in numbers. It may be more than all, if files turned out larger than declared. */
export function Storage({ usedBytes, quotaBytes }: StorageProps) {
  const id = useId();
  const share = quotaBytes > 0 ? usedBytes / quotaBytes : 1;
  const used = texts.storageUsed(formatBytes(usedBytes), formatBytes(quotaBytes));
  const rest =
    usedBytes <= quotaBytes
      ? texts.storageLeft(formatBytes(quotaBytes - usedBytes))
      : texts.storageOver(formatBytes(usedBytes - quotaBytes));
  return (
    <div className={classes.storage}>
      <p id={id} className={classes.numbers}>
        <span>{used}</span>
        <span className={classes.rest}>{rest}</span>
      </p>
      <Meter
        share={share}
        labelledBy={id}
        text={`${used}, ${rest}`}
        tone={share >= 1 ? 'bad' : share >= nearFull ? 'warn' : 'normal'}
      />
      {share >= nearFull ? (
        <Notice
          tone={share >= 1 ? 'bad' : 'warn'}
          title={share >= 1 ? texts.storageFullTitle : texts.storageNearTitle}
        >
          {share >= 1 ? texts.storageFull : texts.storageNear} {texts.storageRemedy}
        </Notice>
      ) : (
        <p className={classes.help}>{texts.storageHelp}</p>
      )}
    </div>
  );
}
