import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import type { Stock } from '../shared/api/queries.ts';
import type { Instant } from '../shared/instant.ts';
import { part } from '../shared/part.ts';
import { Answered, type Asked, Skeleton } from '../shared/ui/states.tsx';
import { Playbooks } from './playbooks.tsx';
import { TABS, type Tab } from './stock-search.ts';
import { CompanyTab } from './tabs/company-tab.tsx';
import { NewsTab } from './tabs/news-tab.tsx';

/** A tab whose program comes when it is opened. */
const lazyTab = <Props,>(load: () => Promise<ComponentType<Props>>) =>
  lazy(part(async () => ({ default: await load() })));

const OptionsTab = lazyTab(() => import('./tabs/options-tab.tsx').then(({ OptionsTab }) => OptionsTab));
const LevelsTab = lazyTab(() => import('./tabs/levels-tab.tsx').then(({ LevelsTab }) => LevelsTab));
const FlowTab = lazyTab(() => import('./tabs/flow-tab.tsx').then(({ FlowTab }) => FlowTab));
const PeersTab = lazyTab(() => import('./tabs/peers-tab.tsx').then(({ PeersTab }) => PeersTab));
const AskTab = lazyTab(() => import('./tabs/ask-tab.tsx').then(({ AskTab }) => AskTab));

const TITLES: Readonly<Record<Tab, string>> = {
  options: 'Options',
  levels: 'Levels',
  flow: 'Order flow',
  peers: 'Peers',
  company: 'Company',
  news: 'News',
  playbooks: 'Playbooks',
  ask: 'Ask',
};

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly asked: Asked<Stock>;
  readonly tab: Tab;
  readonly onTab: (tab: Tab) => void;
}

/** What lies below the chart. */
export function TabPanel({ symbol, asOf, asked, tab, onTab }: Props): ReactNode {
  return (
    <section className="area-tabs" aria-label="Details">
      <div className="tabs" role="tablist" aria-label="Details">
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === tab}
            aria-controls="tab-panel"
            onClick={() => onTab(one)}
          >
            {TITLES[one]}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <Suspense fallback={<Skeleton height={240} />}>
          <Answered asked={asked} height={240}>
            {(stock) => {
              if (tab === 'options') return <OptionsTab symbol={symbol} asOf={asOf} stock={stock} />;
              if (tab === 'levels') return <LevelsTab asOf={asOf} stock={stock} />;
              if (tab === 'flow') return <FlowTab stock={stock} asOf={asOf} />;
              if (tab === 'peers')
                return <PeersTab symbol={symbol} asOf={asOf} date={stock.price?.trade_date} />;
              if (tab === 'company') return <CompanyTab stock={stock} />;
              if (tab === 'news') return <NewsTab stock={stock} />;
              if (tab === 'playbooks') return <Playbooks stock={stock} asOf={asOf} isFull />;
              return <AskTab symbol={symbol} asOf={asOf} tradeDate={stock.price?.trade_date ?? null} />;
            }}
          </Answered>
        </Suspense>
      </div>
    </section>
  );
}
