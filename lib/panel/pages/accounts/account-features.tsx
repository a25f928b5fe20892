import type { Account } from '../../accounts/account.ts';
import { Icon } from '../../components/icon.tsx';
import { Section } from '../../components/section.tsx';
import classes from './account-features.module.css';
import { strings } from './strings.ts';

/** What the account can do, in words. */
export function AccountFeatures({ capabilities }: Pick<Account, 'capabilities'>) {
  return (
    <Section title={strings.account.features} lead={strings.account.featuresLead} isCard>
      <ul className={classes['features']}>
        {capabilities.map((feature) => (
          <li key={feature} className={classes['feature']}>
            <span className={classes['icon']}>
              <Icon name="check" />
            </span>
            <div>
              <p className={classes['name']}>{strings.features[feature] ?? feature}</p>
              <p className={classes['text']}>{strings.featureTexts[feature]}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
