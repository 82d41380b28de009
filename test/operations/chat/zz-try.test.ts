import { it } from 'vitest';
import { CHANGES, RULES } from '../../../src/operations/chat/debate/index.ts';
import { quotedBy } from '../../../src/operations/chat/debate/rule.ts';
import { claimsOf } from '../../../src/operations/chat/verify/index.ts';
import { richBook } from '../../support/chat-book.ts';
it('x', () => {
  const book = richBook(); const tally: Record<string, number> = {}; let missing=0;
  const extra: Record<string, [string, any, string|null]> = {
    'stock.earnings.consecutive_misses':['consecutive misses',3,'quarters'],'theme.negative.magnitude':['negative theme exposure',0.4,'fraction'],
    'exposure.gamma_flip':['gamma flip',88.5,'USD'],
  };
  for (const side of ['bullish','bearish']) for (const [n,l,v,u] of [['name','price event','golden cross',null],['date','date of the price event','2024-03-04',null],['price','price of the event',71.37,'USD']] as any) extra[`event.${side}.${n}`]=[l,v,u];
  for (const side of ['bullish','bearish']) for (const [n,l,v,u] of [['name','pattern','double bottom',null],['trigger','trigger of the pattern',72.4,'USD'],['target','target of the pattern',81.2,'USD'],['invalidation','invalidation of the pattern',66.1,'USD'],['confidence','confidence in the pattern',0.72,'fraction'],['confirmed_at','x','2024-03-01',null],['confirmed_on','x','2024-03-01',null]] as any) extra[`pattern.${side}.${n}`]=[l,v,u];
  for (const side of ['support','resistance']) for (const k of ['strong','clear']) for (const [n,v,u] of [['price',88.2,'USD'],['away',0.4,'ATR'],['name','first support',null]] as any) extra[`level.${side}.${k}.${n}`]=[side,v,u];
  for (const [id,[l,v,u]] of Object.entries(extra)) if (book.get(id)===null) book.enter(id,l,v,u,{instant:'2024-03-13T16:00:00Z',source:'x'});
  const facts=book.all();
  for (const rule of [...RULES, ...CHANGES]) {
    if (quotedBy(rule.says).some((id) => book.get(id) === null)) { missing++; console.log('MISSING', rule.id, quotedBy(rule.says).filter((id) => book.get(id) === null)); continue; }
    const text = rule.says.replaceAll(/\{([^{}]+)\}/g, (_, id) => String(book.get(id)!.value));
    for (const c of claimsOf(text, { facts, symbol: 'TEST', tradeDate: '2024-03-13', others: new Set() })) {
      tally[c.verdict] = (tally[c.verdict] ?? 0) + 1;
      if (c.verdict === 'contradicts' || c.verdict === 'unknown') console.log(c.verdict, '|', text, '|', c.text, '|', c.about, '|', c.fact?.id, c.expected, c.reason);
    }
  }
  console.log(tally, missing);
});
