export interface paths {
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Public keys of this installation
         * @description The keys that its tokens verify with, as a JSON Web Key Set (RFC 7517). Empty until the first token is issued.
         */
        get: operations["getKeySet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/backtest/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Optimisation runs, newest first
         * @description The runs of the client behind the token, or those of all callers without one, a page at a time, without their outcomes.
         */
        get: operations["listRuns"];
        put?: never;
        /**
         * Start a search for stops and targets
         * @description Tries every pair of stop and target, in multiples of the daily ATR, on the entries of intraday signals. Answers at once with a run that is pending and where to ask for it; a completed run of the same caller that asked the same of the same data is answered in its place, and says so.
         */
        post: operations["startOptimization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/backtest/optimize/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Progress and outcome of a run
         * @description The best cells with their figures, how they did on sessions that the choice did not see, and how far the best can be believed. Every cell on request.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        /**
         * Cancel a run
         * @description Stops a run that waits or runs. Cancelling again changes nothing; a run that is completed or failed is 409.
         */
        delete: operations["cancelRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/backtest/optimize/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A run as it advances
         * @description Server-sent events: `progress` at once and whenever the run has come further, then `completed`, `failed` or `cancelled`, and the end.
         */
        get: operations["watchRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/chart-agent-auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A token of minutes for a client secret
         * @description Trades client credentials for a token that an agent presents as `Authorization: Bearer`. An unknown client, a wrong secret and a grant that is not usable are answered alike; a scope beyond the grant is 403.
         */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/chat/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What an agent may say of a page
         * @description The market, a stock, both sides of its case built from facts by rules, its sector and peers, days that looked alike and playbooks, with a fact behind every number of a sentence, made to fit a budget of tokens. What vendors and companies wrote is under `untrusted_text` alone.
         */
        get: operations["getChatContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/chat/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A drafted text compared with the facts
         * @description Finds the numbers and dates of a text about a stock and says of each whether it is a fact, follows from facts, contradicts one, or cannot be judged. By rules alone: the same text and the same facts have the same answer.
         */
        post: operations["verifyText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/graph/{symbol}/neighborhood": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The graph around a stock
         * @description Nodes and edges around a stock on a trade date, ring by ring and bounded: its levels, patterns, events, news, themes, sector, industry, peers and playbooks, and what those lead to on the same date. Nothing newer than the caller may see is met.
         */
        get: operations["getNeighborhood"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/market/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the market
         * @description Regime of the market with the rules that fired, index, VIX, breadth, sectors by rank, the clock of the session and what is due: expirations, results, halts. Every null has its reason. A function of data no newer than the date and, for a caller without the real-time feed, at least 15 minutes old.
         */
        get: operations["getMarketContext"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/options/{symbol}/dte-scores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every expiration of a chain, weighed
         * @description Weighs every expiration of the newest option chain for a buyer of options: edge ratio, IV fitness, dealer flow and liquidity, each with the inputs that it was computed from, and names the best. A date replays the chain of that day. A known symbol without a chain is answered as unavailable, with the reason.
         */
        get: operations["getDteScores"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/options/{symbol}/exposure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What dealers hold against a chain
         * @description Gamma, delta, vanna and charm exposure of the newest option chain by strike and by expiration, with walls and gamma flip, under a named assumption of the books of dealers. A date replays the chain of that day.
         */
        get: operations["getExposure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/options/{symbol}/surface": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Implied volatility by strike and expiration
         * @description The smile of every expiration of the newest option chain, with its volatility at the money and at 25 delta, and the term structure that they make. A date replays the chain of that day.
         */
        get: operations["getSurface"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How often claims came true, and how often by chance
         * @description The record of each family of levels, type of pattern, score, divergence and recommended expiration: how many of its claims came true, with an interval over dates, and how many would have by chance. A filter by symbol, regime or dates is explored: an interval, and no verdict. A caller whose grant is narrowed sees its symbols alone.
         */
        get: operations["listRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/records/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The claims of a record, misses too
         * @description Claims that met their condition, at their instants, with what became of them, the newest first. `Accept: application/vnd.apache.arrow.stream` gets them as an Arrow stream, whose metadata has `next_cursor`.
         */
        get: operations["listRecordEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/screener": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stocks that fulfil a tree of conditions
         * @description Screens every stock of a trade date on any single value of the stock detail, and on numbers computed from them, a page at a time. Pages of one screen belong together whatever is written meanwhile. A caller without the real-time feed is shown the newest session that is old enough as a whole.
         */
        post: operations["screenStocks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/screener/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fields of a screen
         * @description Every single value of the stock detail, flat or nested, with its type, its unit and the operators that it takes.
         */
        get: operations["listScreenFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How fresh and how complete the data is
         * @description The newest row of each kind of data against its promised age, what the tape has of each series, how far derivation has come, and versions. A caller without the real-time feed gets what was known 15 minutes ago, and ages from then; nothing that is counted or dated is newer than the instant of the caller.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/stocks/{symbol}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything known of one stock
         * @description Price and volume, technical state, day context and scores of a stock on a trade date, with levels, volume profile, patterns and more on request; with `fields` only the properties that it names. The answer is a function of data no newer than that date and, for a caller without the real-time feed, at least 15 minutes old.
         */
        get: operations["getStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/stocks/{symbol}/bars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bars of one stock
         * @description Open, high, low, close and volume by minute, hour, day or week, as columns, built from the finest rows that the tape has of each session. No bar lies on both sides of the open or the close. `Accept: application/vnd.apache.arrow.stream` gets them as an Arrow stream. A caller without the real-time feed gets what was final 15 minutes ago.
         */
        get: operations["getBars"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/stocks/{symbol}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How a field of a stock came about
         * @description The ledger behind a score, its inputs with their instants and sources, the page with its formula, the smallest change that would turn it in plain words, and how often such scores and levels came true.
         */
        get: operations["explainField"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/stocks/{symbol}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fields of one stock over trade dates
         * @description Any single value of the stock detail over trade dates, as columns: each the value that the stock detail has for its date. Fields of bars are answered on every date; others of dates that no pass has stored are derived in the background, or while the caller waits.
         */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/stocks/{symbol}/peers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The peers of one stock
         * @description Who the peers of a stock are and why, what their returns on a completed session implied for it, and how far its own return was from that in deviations of its own history. The peers follow from the sessions before the month of the trade date. The answer waits for a session that nobody has measured yet; if that takes longer than it may, 503 `topology_not_loaded` with Retry-After.
         */
        get: operations["getPeers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stocks as they change
         * @description Server-sent events of up to 200 stocks: a snapshot of each, then the fields that change, and what happened (a level or an opening range broken, a tier crossed, a bias turned, a halt). A caller without the real-time feed gets the state of 15 minutes ago, minute by minute.
         */
        get: operations["watchStocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/graph/v1/symbols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Symbols by ticker and company name
         * @description Symbols whose ticker begins with the search, or whose company name has words that begin with its words, with their sessions and what the tape has of them. A caller without the real-time feed gets what was known 15 minutes ago.
         */
        get: operations["searchSymbols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/demo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the simulated market is there
         * @description Whether the simulated market of the first start is there, or how far it is removed. Answers callers of this machine, and others with the internal scope.
         */
        get: operations["getDemo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/demo/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave the simulated market
         * @description Removes the simulated market whole, and keeps later starts from building it; the answer comes at once, and again while it is removed. Without such a market nothing happens. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["leaveDemo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/graph-diffusion/compute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Divergence scores of supplied returns
         * @description Measures a vector of returns against the peers of the newest topology at three scales. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["computeDiffusion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Files that were brought
         * @description The files that this process holds or has imported, newest first. Answers callers of this machine, and others with the internal scope.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Bring a file
         * @description Announces a file, whose parts follow. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far a file has come
         * @description How a file is read, how far its import has come, and what it brought. Answers callers of this machine, and others with the internal scope.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        /**
         * Cancel an import
         * @description Stops the import of a file and deletes the file; one that has ended is forgotten. Answers callers of this machine, and others with the internal scope.
         */
        delete: operations["cancelImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/imports/{id}/parts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A part of a file
         * @description Parts follow one another from the beginning of the file; after the last one the answer says how the file is read, or that it is still being read. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["addImportPart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/imports/{id}/reading": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read a file with other choices
         * @description Says how the file is read with what the caller decides. Nothing is written. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["readImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/imports/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a file
         * @description Brings the file onto the tape, as it was read last; the answer comes at once. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["startImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/loaded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is loaded
         * @description Range and missing sessions of each symbol by kind of data, the newest instant, and what was refused of the newest sources. Answers callers of this machine, and others with the internal scope.
         */
        get: operations["getLoaded"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/internal/records/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the count of past claims is
         * @description Whether past sessions are being counted, and how far that is. Answers callers of this machine, and others with the internal scope.
         */
        get: operations["getRecordBuild"];
        put?: never;
        /**
         * Count past claims
         * @description Counts what became of the claims of every past session; the answer comes at once, and again while they are counted. Answers callers of this machine, and others with the internal scope.
         */
        post: operations["buildRecords"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How the live feed fares
         * @description Whether the stream is connected and rows arrive, how far they are behind the market, holes of the session, refused rows with an example, and what the plan of the key allows. Of the process that answers: on a desk that with the role `live`. No key is shown.
         */
        get: operations["getLiveFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * ActiveHalt
         * @description A halt of trading that lasts.
         */
        ActiveHalt: {
            /** @description Why. */
            reason: string | null;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description Ticker symbol. */
            symbol: string;
        };
        /**
         * Analyst
         * @description Recommendations, price targets and estimates of sell-side analysts.
         */
        Analyst: {
            /** @description Analysts at buy. */
            buy_count?: number | null;
            /** @description Word of `score`: Strong Buy from 4.5, Buy from 3.5, Hold from 2.5, Sell from 1.5, else Strong Sell. */
            consensus?: string | null;
            /** @description Analysts with a recommendation. */
            count?: number | null;
            /** @description Mean EPS estimate of the current fiscal year, USD. */
            est_eps_avg?: number | null;
            /** @description Highest EPS estimate of the current fiscal year, USD. */
            est_eps_high?: number | null;
            /** @description Lowest EPS estimate of the current fiscal year, USD. */
            est_eps_low?: number | null;
            /** @description Mean EPS estimate of the next fiscal year, USD. */
            est_fy2_eps_avg?: number | null;
            /** @description Highest EPS estimate of the next fiscal year, USD. */
            est_fy2_eps_high?: number | null;
            /** @description Lowest EPS estimate of the next fiscal year, USD. */
            est_fy2_eps_low?: number | null;
            /** @description Mean revenue estimate of the current fiscal year, USD. */
            est_revenue_avg?: number | null;
            /** @description Analysts at hold. */
            hold_count?: number | null;
            /** @description Kind of the latest rating change: maintain, upgrade, downgrade, initiate. */
            latest_grade_action?: string | null;
            /**
             * Format: date
             * @description Date of the latest rating change, YYYY-MM-DD.
             */
            latest_grade_date?: string | null;
            /** @description Firm of the latest rating change. */
            latest_grade_firm?: string | null;
            /** @description Grade after the latest rating change. */
            latest_grade_to?: string | null;
            /** @description Analysts behind the EPS estimate. */
            num_analysts_eps?: number | null;
            /** @description Mean recommendation, 1-5: strongSell=1 to strongBuy=5. */
            score?: number | null;
            /** @description Analysts at sell. */
            sell_count?: number | null;
            /** @description Analysts at strong buy. */
            strong_buy_count?: number | null;
            /** @description Analysts at strong sell. */
            strong_sell_count?: number | null;
            /** @description Highest price target, USD. */
            target_high?: number | null;
            /** @description Lowest price target, USD. */
            target_low?: number | null;
            /** @description Mean price target, USD. */
            target_mean?: number | null;
            /** @description Percent upside from current price to the mean target. */
            target_upside?: number | null;
        };
        /**
         * BacktestAnalysis
         * @description How far the best cell can be believed.
         */
        BacktestAnalysis: {
            /** @description By signal type. */
            best_by_signal_type: components["schemas"]["BestOfSignal"][];
            /** @description Version of the formulas. */
            formula_version: string;
            out_of_sample: components["schemas"]["BacktestSplit"] | null;
            overfitting: components["schemas"]["Overfitting"];
            /** @description Trade dates with at least one symbol that could be tested. */
            sessions: number;
            symbol_sessions: components["schemas"]["SymbolSessions"];
            /** @description Folds, each chosen on all sessions before those it is tested on. */
            walk_forward: components["schemas"]["BacktestSplit"][];
        };
        /**
         * BacktestCell
         * @description A cell and the figures of its trades.
         */
        BacktestCell: {
            /** @description Share of trades whose last bar touched both stop and target; they count as stopped. */
            ambiguous_share: number | null;
            /** @description Mean R: profit after costs over the initial risk. */
            avg_rr_ratio: number | null;
            /** @description Greatest fall of the running sum of R from its peak, in R. */
            max_drawdown: number | null;
            parameter_set: components["schemas"]["ParameterSet"];
            /** @description Gross gain over gross loss; null without a loss. */
            profit_factor: number | null;
            /** @description Sharpe ratio of the sums of R by session, annualised by the root of 252. */
            sharpe_ratio: number | null;
            /** @description Sum of R. */
            total_r: number;
            /** @description Trades. */
            total_trades: number;
            /** @description Share of trades with a gain after costs. */
            win_rate: number | null;
        };
        /**
         * BacktestDayPart
         * @description A part of the trades.
         */
        BacktestDayPart: {
            /** @description Share of trades whose last bar touched both stop and target; they count as stopped. */
            ambiguous_share: number | null;
            /** @description Mean R: profit after costs over the initial risk. */
            avg_rr_ratio: number | null;
            /** @description Character of the session, known only after it. */
            day_type: string;
            /** @description Greatest fall of the running sum of R from its peak, in R. */
            max_drawdown: number | null;
            /** @description Gross gain over gross loss; null without a loss. */
            profit_factor: number | null;
            /** @description Sharpe ratio of the sums of R by session, annualised by the root of 252. */
            sharpe_ratio: number | null;
            /** @description Sum of R. */
            total_r: number;
            /** @description Trades. */
            total_trades: number;
            /** @description Share of trades with a gain after costs. */
            win_rate: number | null;
        };
        /**
         * BacktestDirectionPart
         * @description A part of the trades.
         */
        BacktestDirectionPart: {
            /** @description Share of trades whose last bar touched both stop and target; they count as stopped. */
            ambiguous_share: number | null;
            /** @description Mean R: profit after costs over the initial risk. */
            avg_rr_ratio: number | null;
            /** @description `long` or `short`. */
            direction: string;
            /** @description Greatest fall of the running sum of R from its peak, in R. */
            max_drawdown: number | null;
            /** @description Gross gain over gross loss; null without a loss. */
            profit_factor: number | null;
            /** @description Sharpe ratio of the sums of R by session, annualised by the root of 252. */
            sharpe_ratio: number | null;
            /** @description Sum of R. */
            total_r: number;
            /** @description Trades. */
            total_trades: number;
            /** @description Share of trades with a gain after costs. */
            win_rate: number | null;
        };
        /**
         * BacktestMetrics
         * @description Figures of trades; null where one is not defined.
         */
        BacktestMetrics: {
            /** @description Share of trades whose last bar touched both stop and target; they count as stopped. */
            ambiguous_share: number | null;
            /** @description Mean R: profit after costs over the initial risk. */
            avg_rr_ratio: number | null;
            /** @description Greatest fall of the running sum of R from its peak, in R. */
            max_drawdown: number | null;
            /** @description Gross gain over gross loss; null without a loss. */
            profit_factor: number | null;
            /** @description Sharpe ratio of the sums of R by session, annualised by the root of 252. */
            sharpe_ratio: number | null;
            /** @description Sum of R. */
            total_r: number;
            /** @description Trades. */
            total_trades: number;
            /** @description Share of trades with a gain after costs. */
            win_rate: number | null;
        };
        /**
         * BacktestSignalPart
         * @description A part of the trades.
         */
        BacktestSignalPart: {
            /** @description Share of trades whose last bar touched both stop and target; they count as stopped. */
            ambiguous_share: number | null;
            /** @description Mean R: profit after costs over the initial risk. */
            avg_rr_ratio: number | null;
            /** @description Greatest fall of the running sum of R from its peak, in R. */
            max_drawdown: number | null;
            /** @description Gross gain over gross loss; null without a loss. */
            profit_factor: number | null;
            /** @description Sharpe ratio of the sums of R by session, annualised by the root of 252. */
            sharpe_ratio: number | null;
            /** @description The signal. */
            signal_type: string;
            /** @description Sum of R. */
            total_r: number;
            /** @description Trades. */
            total_trades: number;
            /** @description Share of trades with a gain after costs. */
            win_rate: number | null;
        };
        /**
         * BacktestSplit
         * @description A cell chosen on some sessions and what it did on later ones.
         */
        BacktestSplit: {
            chosen_on: components["schemas"]["BacktestMetrics"];
            parameter_set: components["schemas"]["ParameterSet"];
            /**
             * Format: date
             * @description First of the later sessions.
             */
            test_from: string;
            tested: components["schemas"]["BacktestMetrics"];
        };
        /**
         * Bars
         * @description Bars of one stock as columns of one length, in ascending time. A minute without a trade has no bar.
         */
        Bars: {
            /**
             * @description Whether splits are taken into account.
             * @default true
             */
            adjusted: boolean;
            /**
             * Format: date-time
             * @description No row of the tape counts that became final later.
             */
            as_of: string;
            /** @description Last price, dollars. */
            close: number[];
            /** @description Shares bought less shares sold, by the quote and else by the tick rule; null as with `vwap`. Summed from the open they are the CVD. */
            delta: (number | null)[];
            /** @description Highest price, dollars. */
            high: number[];
            /**
             * @description Length of a bar.
             * @enum {string}
             */
            interval: "1m" | "5m" | "15m" | "30m" | "1h" | "1d" | "1w";
            /** @description Lowest price, dollars. */
            low: number[];
            /** @description Leads to the bars beyond `limit`, without `from` to those before them; null on the last page. */
            next_cursor: string | null;
            /** @description First price, dollars. */
            open: number[];
            /**
             * @description True when bars are of one exchange alone: those whose volume is null.
             * @default false
             */
            partial: boolean;
            /**
             * @description Hours of the bars.
             * @enum {string}
             */
            session: "regular" | "all";
            /**
             * @description True for a symbol of the simulated market.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /** @description Ticker symbol. */
            symbol: string;
            /** @description Beginning of each bar in UTC; of days and weeks the trade date, of a week that of its first session. */
            time: string[];
            /**
             * @description True when the last bar is still forming at `as_of`.
             * @default false
             */
            unfinished: boolean;
            /** @description Shares traded; null for a bar of one exchange alone, whose high and low may lie inside those of the market. */
            volume: (number | null)[];
            /** @description Volume-weighted average price of the prints, dollars; null where the tape has no prints of the bar, and for weeks. */
            vwap: (number | null)[];
        };
        /**
         * BestOfSignal
         * @description The best cell of one signal type alone.
         */
        BestOfSignal: {
            best: components["schemas"]["BacktestCell"] | null;
            /**
             * @description The signal.
             * @enum {string}
             */
            signal_type: "vwap_touch" | "ib_breakout" | "ib_retest" | "or_hold" | "level_confluence" | "trend_continuation";
        };
        /**
         * BestRecord
         * @description The record of a kind with the greatest edge in units of its error, and what that says among so many.
         */
        BestRecord: {
            /** @description Rate less chance, among like claims. */
            edge: number;
            /** @description Key of the record. */
            key: string;
            /**
             * @description Kind of claim.
             * @enum {string}
             */
            kind: "level" | "pattern" | "playbook" | "swing_playbook" | "score" | "divergence" | "expiration";
            /** @description Records of the kind that were tested together. */
            of: number;
            /** @description How often the best of as many without any edge, a point at most, looks as good: Hansen, superior predictive ability, 999 draws of dates. */
            p: number;
            /** @description The same in a sentence. */
            says: string;
            /**
             * @description True for claims of the simulated market: no evidence about any other.
             * @default false
             */
            simulated: boolean;
        };
        /**
         * Bollinger
         * @description Bollinger Bands of daily closes: SMA20 and 2 population deviations, USD.
         */
        Bollinger: {
            /** @description (upper - lower) / middle * 100, percent. */
            bandwidth: number | null;
            /** @description Lower band, USD. */
            lower: number | null;
            /** @description SMA20, USD. */
            middle: number | null;
            /** @description (close - lower) / (upper - lower): 0 at the lower band, 1 at the upper. */
            percent_b: number | null;
            /** @description Upper band, USD. */
            upper: number | null;
        };
        /**
         * ChangesOfMind
         * @description What would change the mind of each side.
         */
        ChangesOfMind: {
            /** @description What would change the mind of a bear. */
            bear: components["schemas"]["DebatePoint"][];
            /** @description What would change the mind of a bull. */
            bull: components["schemas"]["DebatePoint"][];
        };
        /**
         * ChatAnalog
         * @description A day that looked alike.
         */
        ChatAnalog: {
            [key: string]: unknown;
        };
        /**
         * ChatBudget
         * @description How the answer was made to fit.
         */
        ChatBudget: {
            /** @description What was left out or shortened; empty where all fitted. */
            dropped: components["schemas"]["DroppedItems"][];
            /** @description What the answer is estimated to take; a tokenizer finds less. */
            estimated_tokens: number;
            /** @description What was allowed. */
            max_tokens: number;
        };
        /**
         * ChatContext
         * @description What an agent may say of a page, with its proofs.
         */
        ChatContext: {
            /** @description What followed the days that looked alike. */
            analog_outcomes: components["schemas"]["ChatOutcome"][];
            /**
             * Format: date-time
             * @description Nothing newer than this counts.
             */
            as_of: string;
            budget: components["schemas"]["ChatBudget"];
            debate_summary: components["schemas"]["DebateSummary"];
            /** @description Facts that the query finds, every fact that a sentence quotes, then those behind other numbers. */
            facts: components["schemas"]["ChatFact"][];
            /** @description Days that looked alike. */
            historical_analogs: components["schemas"]["ChatAnalog"][];
            market_context: components["schemas"]["ChatMarket"];
            /**
             * @description The page that is talked about.
             * @enum {string}
             */
            page_type: "stock_detail" | "options" | "screener" | "market" | "backtest";
            sector_data: components["schemas"]["ChatSector"];
            /** @description Sessions that the market has completed since the session of this answer; 0 with `date` or `as_of`, which ask for nothing newer. */
            sessions_behind: number;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            stock_data: components["schemas"]["ChatStock"];
            /** @description Playbooks: those that the query finds, else those whose conditions match. */
            strategy_playbooks: components["schemas"]["ChatPlaybook"][];
            /** @description Ticker symbol; null for a page about no stock. */
            symbol: string | null;
            /**
             * Format: date
             * @description The session that the answer is of.
             */
            trade_date: string;
        };
        /**
         * ChatFact
         * @description One thing that is known, as it may be quoted.
         */
        ChatFact: {
            /** @description Names it within the answer. */
            id: string;
            /**
             * Format: date-time
             * @description The instant that it speaks for.
             */
            instant: string;
            /** @description What it is, in words without figures. */
            label: string;
            /** @description Where it comes from. */
            source: string;
            /** @description What a number counts; null for a text and for a scale of its own. */
            unit: string | null;
            /** @description As it is quoted: a text repeats it digit by digit. */
            value: number | string | boolean;
        };
        /**
         * ChatMarket
         * @description Volatility, index, breadth, regime, clock, events and sectors.
         */
        ChatMarket: {
            [key: string]: unknown;
        };
        /**
         * ChatOutcome
         * @description What followed over a number of sessions, with count and dispersion.
         */
        ChatOutcome: {
            [key: string]: unknown;
        };
        /**
         * ChatPlaybook
         * @description A playbook.
         */
        ChatPlaybook: {
            [key: string]: unknown;
        };
        /**
         * ChatSector
         * @description State of the sector, and the stock against its peers.
         */
        ChatSector: {
            [key: string]: unknown;
        };
        /**
         * ChatStock
         * @description What is known of the stock; empty without one.
         */
        ChatStock: {
            [key: string]: unknown;
        };
        /**
         * ClaimEvent
         * @description A claim that met its condition, and what became of it.
         */
        ClaimEvent: {
            /**
             * @description True where one bar went both ways.
             * @default false
             */
            ambiguous: boolean;
            /**
             * Format: date-time
             * @description When it met its condition: the end of the bar.
             */
            begun_at: string;
            /** @description Share of its own controls that came true; null where controls are of all dates. */
            chance: number | null;
            /** @description What was claimed: name of a level, swings of a pattern, score, date of an expiration. */
            claim: string;
            /**
             * Format: date-time
             * @description When it was decided; null while it is open, and where it stayed undecided.
             */
            decided_at: string | null;
            /**
             * @description Of a level: the side that price came from is above (up) or below (down); else the side of the claim.
             * @enum {string}
             */
            direction: "up" | "down";
            /**
             * @description True where the stock left before the end.
             * @default false
             */
            gone: boolean;
            /**
             * @description What became of it.
             * @enum {string}
             */
            outcome: "true" | "false" | "undecided" | "gap" | "open";
            /** @description The level, the close that confirmed the pattern, or the price that the stock had to pass, USD as traded then; null without one. */
            price: number | null;
            /** @description R of the trade of a playbook after costs; null for claims without a trade. */
            r: number | null;
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description Its trade date.
             */
            trade_date: string;
        };
        /**
         * ClaimEvents
         * @description Claims of one record, the newest first.
         */
        ClaimEvents: {
            /**
             * Format: date-time
             * @description Nothing counts that became known later.
             */
            as_of: string;
            /** @description The claims. */
            events: components["schemas"]["ClaimEvent"][];
            /** @description Record. */
            id: string;
            /** @description Leads to older claims; null on the last page. */
            next_cursor: string | null;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
        };
        /**
         * ClaimRecord
         * @description How often what is claimed came true, and how often by chance.
         */
        ClaimRecord: {
            /** @description Claims of which one bar went both ways; they count as false. */
            ambiguous: number;
            /** @description Share of the controls that came true; null with too few, and then no rate either. */
            chance: number | null;
            /** @description Mean R of the trades that they are compared with. */
            chance_r: number | null;
            /** @description What the claims are compared with: the same rule where nothing was claimed. */
            controls: number;
            /** @description Of a score: mean over dates of its rank correlation with the later returns. */
            correlation: number | null;
            /** @description Upper limit of its 95 % interval. */
            correlation_high: number | null;
            /** @description Lower limit of its 95 % interval. */
            correlation_low: number | null;
            /** @description Trade dates with such a claim. */
            dates: number;
            /** @description Rate less chance, among like claims. */
            edge: number | null;
            /** @description Upper limit of its 95 % interval. */
            edge_high: number | null;
            /** @description Lower limit of its 95 % interval. */
            edge_low: number | null;
            /** @description Version of the rule; another one begins from nothing. */
            formula_version: number;
            /** @description Claims that a hole of five minutes in the bars left undecided. */
            gap: number;
            /** @description Claims of stocks that left meanwhile; their last price decided where it could. */
            gone: number;
            /** @description Upper limit of its 95 % interval over dates. */
            high: number | null;
            /** @description Sessions within which a claim has to come true; 0 within its own. */
            horizon_sessions: number;
            /** @description Names the record. */
            id: string;
            /** @description Family of a level, type of a pattern, playbook, score or divergence with its sessions, timeframe and direction of an expiration. */
            key: string;
            /**
             * @description Kind of claim.
             * @enum {string}
             */
            kind: "level" | "pattern" | "playbook" | "swing_playbook" | "score" | "divergence" | "expiration";
            /** @description Lower limit of its 95 % interval over dates. */
            low: number | null;
            /** @description Of a playbook: mean R of its trades after costs. */
            mean_r: number | null;
            /** @description Upper limit of its 95 % interval. */
            mean_r_high: number | null;
            /** @description Lower limit of its 95 % interval. */
            mean_r_low: number | null;
            /** @description Claims that came true or did not. */
            n: number;
            /** @description Least share of false calls among all that are called, on either side, at which this one is called on the side of its edge; null where it is not tested. */
            q: number | null;
            /** @description Share that came true; null with too few. */
            rate: number | null;
            /** @description Regime that was asked for; null for all. */
            regime: string | null;
            /**
             * Format: date
             * @description Dates from here on were not known to those who wrote the rule.
             */
            released_at: string;
            reliability: components["schemas"]["RecordReliability"] | null;
            /** @description The record in a sentence. */
            says: string;
            /** @description Of levels: families of which a level within 0.1 ATR was touched meanwhile, by a fifth of these touches or more, the greatest share first: an edge of one is then in part that of the other. */
            shared_with: components["schemas"]["SharedTouches"][];
            /**
             * @description True for claims of the simulated market: no evidence about any other.
             * @default false
             */
            simulated: boolean;
            since: components["schemas"]["RecordSince"];
            /** @description Records of the kind that were tested for an edge together. */
            tested: number;
            /** @description Claims that came true. */
            true: number;
            /** @description Claims that were open at the close, or could not be judged. */
            undecided: number;
            /**
             * @description edge_shown: an edge above one point at a share of false calls of 0.1; worse_than_chance: the same below minus one point; neither where the interval of the edge holds 0; explored: the caller chose the claims.
             * @enum {string}
             */
            verdict: "edge_shown" | "no_edge_shown" | "worse_than_chance" | "too_few" | "explored";
        };
        /**
         * ClockPhase
         * @description A phase of the trade date.
         */
        ClockPhase: {
            /**
             * Format: date-time
             * @description When it is over.
             */
            closes_at: string;
            /**
             * Format: date-time
             * @description When it begins.
             */
            opens_at: string;
            /**
             * @description Which.
             * @enum {string}
             */
            phase: "pre_market" | "regular" | "after_hours";
        };
        /**
         * Compression
         * @description Whether the range of the stock contracts.
         */
        Compression: {
            /** @description Legacy ATR(3)/ATR(14). */
            atr_compression_ratio?: number | null;
            /**
             * @description Range inside prior day, as of the last completed session.
             * @default false
             */
            is_inside_day?: boolean;
            /**
             * @description Narrowest range of last 7 days, as of the last completed session.
             * @default false
             */
            is_nr7?: boolean;
            /** @description Today's range / daily ATR(14); replaces the legacy ratio. */
            range_vs_atr_14?: number | null;
            /**
             * @description Number of contracting pivot ranges in an uptrend; 0 means computed, none. The default also stands while fewer than 170 sessions are known.
             * @default 0
             */
            vcp_contraction_count?: number;
        };
        /**
         * ConfluenceComponent
         * @description One component pair of the v4.5 scoring.
         */
        ConfluenceComponent: {
            /** @description Points contributed to the bearish score. */
            bear_contribution: number;
            /** @description Bearish score; null when an input is missing. */
            bear_score: number | null;
            /** @description Points contributed to the bullish score. */
            bull_contribution: number;
            /** @description Bullish score; null when an input is missing. */
            bull_score: number | null;
            /**
             * @description Name of the component.
             * @enum {string}
             */
            component: "proximity" | "volatility" | "volume" | "pattern" | "iv" | "day_type" | "vix_regime" | "event_proximity";
            /** @description Highest score of either side. */
            maximum: number;
            /** @description Why the component has these scores, or which input is missing. */
            note: string | null;
            /**
             * @description missing: an input was unavailable, the component was dropped.
             * @enum {string}
             */
            status: "scored" | "missing";
            /** @description Weight after rescaling over the components that are present; 0 when dropped. */
            weight: number;
        };
        /**
         * ConfluenceComponentBreakdown
         * @description The 8 components of the v4.5 scoring with weights, scores and notes; contributions sum to the scores.
         */
        ConfluenceComponentBreakdown: {
            /** @description Sum of the bearish contributions. */
            bearish_score: number | null;
            /** @description Sum of the bullish contributions. */
            bullish_score: number | null;
            /** @description The components, in the order of the scoring. */
            components: components["schemas"]["ConfluenceComponent"][];
            /**
             * Format: date-time
             * @description When the breakdown was computed.
             */
            computed_at: string;
            nearest_flip: components["schemas"]["NearestFlip"] | null;
            /** @description Version of the scoring, v4.5. */
            scoring_version: string;
            /** @description Share of the total weight whose inputs are present; below 0.5 the scores are null. */
            weight_available: number;
        };
        /**
         * ConfluenceV5
         * @description The canonical bullish and bearish scores with the ledger of each.
         */
        ConfluenceV5: {
            /** @description Bearish score; equals bearish_confluence. */
            bear: number | null;
            /** @description Lines whose contributions sum to bear. */
            bear_ledger: components["schemas"]["ScoreLedgerLine"][];
            /** @description Bullish score; equals bullish_confluence. */
            bull: number | null;
            /** @description Lines whose contributions sum to bull. */
            bull_ledger: components["schemas"]["ScoreLedgerLine"][];
            /**
             * Format: date-time
             * @description When the scores were computed.
             */
            computed_at: string;
            /**
             * @description Equals directional_bias_v5.
             * @enum {string|null}
             */
            directional_bias: "BULL_DOMINANT" | "BEAR_DOMINANT" | "MIXED" | null;
            /** @description Version of the formula. */
            formula_version: string;
            nearest_flip: components["schemas"]["NearestFlip"] | null;
            /** @description bull minus bear. */
            net: number | null;
            /** @description Share of the total weight whose inputs are present; below 0.5 the scores are null. */
            weight_available: number;
        };
        /**
         * ConfluenceZone
         * @description Levels of at least two families within 0.25 daily ATR.
         */
        ConfluenceZone: {
            /** @description From the last price to the nearer edge in daily_atr 14; 0 inside. */
            distance_atr: number | null;
            /** @description Families that meet here, by name. */
            families: ("prior_day" | "prior_week" | "prior_month" | "pivot" | "opening" | "overnight" | "vwap" | "prior_profile" | "developing_profile" | "recent_range" | "moving_average" | "pattern" | "options" | "round_number")[];
            /** @description Upper edge, USD. */
            high: number;
            /** @description Names of the levels, highest first. */
            levels: string[];
            /** @description Lower edge, USD. */
            low: number;
            /**
             * @description inside when the last price lies in the zone.
             * @enum {string}
             */
            side: "support" | "resistance" | "inside";
            /** @description As of a level, over the families of the zone. */
            strength: number;
        };
        /**
         * ConvictionV5
         * @description How the conviction of the canonical score moves through the session.
         */
        ConvictionV5: {
            /**
             * Format: date-time
             * @description When it was computed.
             */
            computed_at: string;
            /** @description Net canonical score at the end of the path: now, or the close once the session is over. */
            current: number | null;
            /**
             * @description The side that leads by the 10-point margin at the end of the path, else mixed.
             * @enum {string|null}
             */
            direction: "bull" | "bear" | "mixed" | null;
            /** @description Version of the formula. */
            formula_version: string;
            /** @description Scores of the session that the figures rest on. */
            observations: number | null;
            /** @description Change of the net score since the open. */
            session_change: number | null;
            /** @description Highest net score of the session. */
            session_high: number | null;
            /** @description Lowest net score of the session. */
            session_low: number | null;
        };
        /**
         * DailyAtr
         * @description End-of-day-frozen daily ATR by period, USD: completed sessions only.
         */
        DailyAtr: {
            /** @description ATR(14). */
            14: number | null;
            /** @description ATR(20). */
            20: number | null;
        };
        /**
         * DayContext
         * @description What kind of day the regular session has been so far.
         */
        DayContext: {
            /**
             * @description Kind of day.
             * @enum {string}
             */
            day_type: "trending" | "rotational" | "uncertain";
            /**
             * @description Finer band of the two scores.
             * @enum {string|null}
             */
            day_type_detail?: "strong_trend" | "trending" | "mixed" | "rotational" | "strong_rotational" | null;
            /** @description Two-sided trade, 0 (none) to 1. */
            rotation_score: number;
            /**
             * @description Factor on the usual position size.
             * @default 1
             */
            size_modifier?: number;
            /** @description What suits the day: follow_trend_long, follow_trend_short, fade_extremes, wait. */
            strategy_bias?: string | null;
            /** @description Direction and strength of the trend, -1 (down) to 1 (up). */
            trend_score: number;
        };
        /**
         * DebateCase
         * @description The case of one side.
         */
        DebateCase: {
            /** @description Arguments, the weightiest first. */
            points: components["schemas"]["DebatePoint"][];
            /** @description That few facts or none speak for the side; null where enough do. */
            remark: string | null;
            score: components["schemas"]["DebateScore"] | null;
            /**
             * @description Which side.
             * @enum {string}
             */
            stance: "bull" | "bear";
        };
        /**
         * DebatePoint
         * @description One argument, made by a rule from facts.
         */
        DebatePoint: {
            /** @description Ids of the facts that it rests on. */
            facts: string[];
            /** @description Name of the rule. */
            rule: string;
            /** @description A sentence. Every figure in it is the value of a fact. */
            text: string;
        };
        /**
         * DebateScore
         * @description The canonical score of the side; null where it is not known or did not fit.
         */
        DebateScore: {
            /** @description Id of the fact. */
            fact: string;
            /** @description Points. */
            value: number;
        };
        /**
         * DebateSummary
         * @description Both sides of the case, and what would change each mind.
         */
        DebateSummary: {
            bear: components["schemas"]["DebateCase"];
            bull: components["schemas"]["DebateCase"];
            what_would_change: components["schemas"]["ChangesOfMind"];
        };
        /**
         * Delivered
         * @description A file or other source that was imported.
         */
        Delivered: {
            /** @description Format. */
            feed: string;
            /**
             * Format: date-time
             * @description When.
             */
            imported_at: string;
            /** @description What was not taken. */
            refused: components["schemas"]["RefusedRows"][];
            /** @description Rows and facts that were kept. */
            rows: number;
            /** @description Its name. */
            source: string;
        };
        /**
         * Demo
         * @description The simulated market that the first start builds.
         */
        Demo: {
            /** @description Share of its stock-days that is removed; null before the first is gone, and in the other states. */
            share_done: number | null;
            /**
             * @description Whether it is there, is being removed, or is not there (any more).
             * @enum {string}
             */
            state: "there" | "leaving" | "none";
            /** @description Its stocks, funds and indices. */
            stocks: number;
        };
        /** DiffusionRequest */
        DiffusionRequest: {
            /** @description Returns by symbol. Symbols that the topology does not know are skipped and counted. */
            returns: {
                [key: string]: number | null;
            };
            /**
             * @description Version of this request; 1.
             * @default 1
             */
            schema_version?: number;
        };
        /**
         * DiffusionResponse
         * @description Divergences of the supplied returns.
         */
        DiffusionResponse: {
            /**
             * Format: date-time
             * @description When the computation was completed.
             */
            computed_at: string;
            /** @description Version of this answer. */
            schema_version: number;
            /** @description By symbol. */
            scores: components["schemas"]["DiffusionScore"][];
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /** @description Symbols with a score. */
            symbols_computed: number;
            /** @description Symbols of the topology without a return or without peers, and supplied ones that it does not know. */
            symbols_skipped: number;
            /**
             * Format: date-time
             * @description When the topology in use was built: of the newest month, from the sessions before it.
             */
            topology_built_at: string;
        };
        /**
         * DiffusionScore
         * @description How far a return is from those of its peers.
         */
        DiffusionScore: {
            /** @description The same within eight steps, in deviations. */
            broad: number | null;
            /** @description Weighted divergence over the scales that had peers, in deviations. */
            composite: number;
            /**
             * @description True when one peer, or peers with their own event, dominate the mean.
             * @default false
             */
            contaminated: boolean;
            /** @description Divergence from the direct peers, in deviations of its own history. */
            local: number | null;
            /** @description The same within three steps, in deviations. */
            medium: number | null;
            /** @description Peers with a return within eight steps. */
            peers_broad: number;
            /** @description Direct peers with a return. */
            peers_local: number;
            /** @description Peers with a return within three steps. */
            peers_medium: number;
            /**
             * @description Bullish from a composite of 2 on, bearish from -2 on.
             * @enum {string}
             */
            signal: "bullish_divergence" | "bearish_divergence" | "neutral";
            /** @description Ticker symbol. */
            symbol: string;
            /** @description The scales that had peers, e.g. local_medium_broad. */
            weight_config: string;
        };
        /**
         * DroppedItems
         * @description What the budget cost one section.
         */
        DroppedItems: {
            /** @description How many items were left out. */
            items: number;
            /**
             * @description Which section.
             * @enum {string}
             */
            section: "market_context" | "stock_data" | "debate_summary" | "sector_data" | "historical_analogs" | "analog_outcomes" | "strategy_playbooks" | "facts";
            /** @description How many items have fewer names or words than they would have. */
            shortened: number;
        };
        /**
         * DteScores
         * @description Every expiration of a chain, weighed for a buyer of options.
         */
        DteScores: {
            /** @description Age of the chain at the instant of the answer, whole minutes; null without a chain. */
            age_minutes: number | null;
            /** @description Daily ATR(14) of the last completed session, USD; null without daily bars. */
            atr: number | null;
            /**
             * @description Where the ATR comes from.
             * @enum {string}
             */
            atr_source: "daily_atr" | "none";
            /**
             * @description How much of the answer there is.
             * @enum {string}
             */
            availability: "available" | "partial" | "stale" | "unavailable";
            /** @description Why the answer is not whole, and what its figures assume. */
            availability_qualifier: string;
            /**
             * @description True when nothing was computed for this call.
             * @default false
             */
            cached: boolean;
            /**
             * @description Time that computing took for this call, milliseconds.
             * @default 0
             */
            computation_ms: number;
            /** @description The inputs that were used, each with its instant. */
            dependencies: string[];
            /**
             * @description Which way the trade is.
             * @enum {string}
             */
            direction: "bullish" | "bearish";
            /** @description Every expiration that still lives, ascending. */
            expirations: components["schemas"]["ExpirationScore"][];
            /** @description Version of the evaluator. */
            formula_version: string;
            /**
             * Format: date
             * @description The best expiration that nothing bars; null when there is none.
             */
            recommended_expiration: string | null;
            /** @description Age of the chain at the instant of the answer, sessions: 0 of the same, 1 of the session before; null without a chain. */
            sessions_old: number | null;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * Format: date-time
             * @description When the chain was taken.
             */
            source_time: string | null;
            /** @description Price of the underlying with the chain, USD. */
            spot_price: number | null;
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * @description How long a trade is held: one session, five, twenty.
             * @enum {string}
             */
            timeframe: "intraday" | "swing" | "position";
        };
        /**
         * Earnings
         * @description The earnings calendar and the record of surprises.
         */
        Earnings: {
            /** @description Share of the last 8 quarters that beat the estimate; null with fewer than 4. */
            beat_rate_8q?: number | null;
            /**
             * @description True when more than 3 days past the most recent earnings.
             * @default false
             */
            cleared?: boolean;
            /**
             * @description Positive for beats, negative for misses.
             * @default 0
             */
            consecutive_beats?: number;
            /** @description Days to next earnings. */
            days_until?: number | null;
            /** @description Band of the z-score: EXCEPTIONAL_BEAT, STRONG_BEAT, MODEST_BEAT, INLINE, MODEST_MISS, STRONG_MISS, EXCEPTIONAL_MISS. */
            normalized_surprise?: string | null;
            /** @description The last eight quarters with results, oldest first. */
            quarters?: components["schemas"]["EarningsQuarter"][];
            /**
             * @description True when EPS and revenue both beat or both miss.
             * @default false
             */
            revenue_eps_aligned?: boolean;
            /**
             * @description Band of the latest surprise.
             * @enum {string|null}
             */
            surprise_category?: "BLOWOUT_BEAT" | "SOLID_BEAT" | "INLINE" | "MISS" | "BLOWOUT_MISS" | null;
            /** @description ((actual - estimate) / abs(estimate)) * 100, percent. */
            surprise_pct?: number | null;
            /** @description Latest surprise versus the distribution of the 8 quarters before it; null with fewer than 4 of them or no deviation. */
            surprise_zscore?: number | null;
        };
        /**
         * EarningsQuarter
         * @description The announced results of one quarter.
         */
        EarningsQuarter: {
            /**
             * Format: date
             * @description Date of the announcement.
             */
            date: string;
            /** @description Earnings a share, USD. */
            eps_actual: number | null;
            /** @description What analysts expected, USD; null without estimates. */
            eps_estimate: number | null;
            /** @description Revenue, USD. */
            revenue_actual: number | null;
            /** @description What analysts expected, USD; null without estimates. */
            revenue_estimate: number | null;
            /** @description ((actual - estimate) / abs(estimate)) * 100 of EPS, percent. */
            surprise_pct: number | null;
        };
        /**
         * EntryGate
         * @description One condition of an entry.
         */
        EntryGate: {
            /** @description Name of the gate. */
            gate: string;
            /** @description Why, in a sentence that quotes its inputs. */
            reason: string | null;
            /**
             * @description unknown: an input is missing.
             * @enum {string}
             */
            status: "passed" | "failed" | "unknown";
        };
        /**
         * EntryV2
         * @description Timing of an intraday entry, with gates and the ledger of each side.
         */
        EntryV2: {
            /** @description Equals bearish_entry_score. */
            bear: number | null;
            /** @description Lines whose contributions sum to bear. */
            bear_ledger: components["schemas"]["ScoreLedgerLine"][];
            /** @description Equals bullish_entry_score. */
            bull: number | null;
            /** @description Lines whose contributions sum to bull. */
            bull_ledger: components["schemas"]["ScoreLedgerLine"][];
            /**
             * Format: date-time
             * @description When the scores were computed.
             */
            computed_at: string;
            /** @description Version of the formula. */
            formula_version: string;
            /** @description The gates, in order. */
            gates: components["schemas"]["EntryGate"][];
            /** @description Equals net_entry_score. */
            net: number | null;
        };
        /**
         * Error
         * @description Any refusal other than a validation error.
         */
        Error: {
            /**
             * @description Word of the error catalogue.
             * @example unknown_symbol
             */
            code: string;
            /** @description What is wrong and, where there is one, the way out. */
            detail: string;
            /** @description The identifier under which the log knows this request. */
            request_id: string;
        };
        /**
         * EventClock
         * @description What is due, as it was known.
         */
        EventClock: {
            /** @description The latest halts first; at most 10. */
            halted: components["schemas"]["ActiveHalt"][];
            /** @description Stocks whose trading is halted. */
            halts: number;
            monthly_expiration: components["schemas"]["ExpirationDate"] | null;
            quarterly_expiration: components["schemas"]["ExpirationDate"] | null;
            results_next_5_sessions: components["schemas"]["ResultsDue"] | null;
            results_today: components["schemas"]["ResultsDue"] | null;
        };
        /**
         * ExpirationDate
         * @description An expiration of listed options.
         */
        ExpirationDate: {
            /**
             * Format: date
             * @description Which.
             */
            date: string;
            /** @description Sessions from the trade date; 0 on it. */
            sessions: number;
        };
        /**
         * ExpirationExposure
         * @description Dealer exposure of one expiration.
         */
        ExpirationExposure: {
            /** @description Dollars of delta that a move of 1 % adds to the open calls; null when open interest that it needs is not known. */
            call_gamma: number | null;
            /** @description Open calls with usable greeks, contracts; null when not known. */
            call_open_interest: number | null;
            /** @description Strike with the most call gamma, USD; null without any, or where it is not known. */
            call_wall: number | null;
            /** @description Dollars of delta that a calendar day adds for dealers; null when open interest that it needs is not known. */
            charm: number | null;
            /** @description Share of its known open interest with usable greeks, times the share of its contracts whose open interest is known. */
            coverage: number | null;
            /** @description DEX: dollars of delta that dealers hold; null when open interest that it needs is not known. */
            delta: number | null;
            /** @description Calendar days to it. */
            dte: number;
            /**
             * Format: date
             * @description Date of the expiration.
             */
            expiration: string;
            /** @description GEX: call_gamma less put_gamma, dollars per 1 %; null when open interest that it needs is not known. */
            net_gamma: number | null;
            /** @description The same of the open puts; null when open interest that it needs is not known. */
            put_gamma: number | null;
            /** @description Open puts with usable greeks, contracts; null when not known. */
            put_open_interest: number | null;
            /** @description Strike with the most put gamma, USD; null without any, or where it is not known. */
            put_wall: number | null;
            /**
             * @description Whether it settles at the open of its date or at the close; unknown, it counts to the close.
             * @enum {string}
             */
            settlement: "open" | "close" | "unknown";
            /** @description Dollars of delta that a volatility point adds for dealers; null when open interest that it needs is not known. */
            vanna: number | null;
        };
        /**
         * ExpirationScore
         * @description One expiration on the four axes.
         */
        ExpirationScore: {
            /** @description Weighted mean of the axes that are known. 0 to 100; null when an input is missing. */
            composite_score: number | null;
            /**
             * @description How much of what the assessment wants was there.
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** @description What dealers' hedging does to the move. 0 to 100; null when an input is missing. */
            dealer_flow: number | null;
            /**
             * @description What dealer_flow was computed from.
             * @default
             */
            dealer_flow_detail: string;
            /** @description Calendar days to it. */
            dte: number;
            /** @description Expected travel of the price against what the premium asks for. 0 to 100; null when an input is missing. */
            edge_ratio: number | null;
            /**
             * @description What edge_ratio was computed from.
             * @default
             */
            edge_ratio_detail: string;
            /**
             * Format: date
             * @description Date of the expiration.
             */
            expiration: string;
            /** @description How cheap the volatility is that a buyer pays. 0 to 100; null when an input is missing. */
            iv_fitness: number | null;
            /**
             * @description What iv_fitness was computed from, and the known events inside its life.
             * @default
             */
            iv_fitness_detail: string;
            /** @description Spread, open interest, volume and quotes near the money. 0 to 100; null when an input is missing. */
            liquidity: number | null;
            /**
             * @description What liquidity was computed from, and what gates it.
             * @default
             */
            liquidity_detail: string;
            /**
             * @description True when it is too illiquid to be recommended.
             * @default false
             */
            liquidity_gated: boolean;
            /**
             * @description True within two sessions of a monthly expiration.
             * @default false
             */
            near_opex: boolean;
            /** @description Sessions between it and the nearest monthly expiration; 0 on it. */
            opex_days: number;
        };
        /**
         * ExplainedFlip
         * @description The smallest change of a single input that would move a tier or the bias.
         */
        ExplainedFlip: {
            /** @description |to - from| in units of the input's documented scale. */
            distance: number;
            /**
             * @description What would move.
             * @enum {string}
             */
            flips: "directional_bias" | "bullish_tier" | "bearish_tier";
            /** @description Its value now. */
            from: number;
            /** @description Name of the input. */
            input: string;
            /**
             * @description What it is now.
             * @enum {string}
             */
            label_from: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | "bullish" | "bearish" | "neutral";
            /**
             * @description What it would be.
             * @enum {string}
             */
            label_to: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | "bullish" | "bearish" | "neutral";
            /** @description Its value just beyond the edge. */
            to: number;
        };
        /**
         * ExplainedFormula
         * @description How a field is computed.
         */
        ExplainedFormula: {
            /** @description Block of the answer that has it. */
            block: string;
            /** @description What it says. */
            describes: string;
            /** @description Page of the documentation with the formula. */
            document: string;
            /** @description Version of its formula, where it has one. */
            version: string | null;
        };
        /**
         * ExplainedInput
         * @description An input of a score.
         */
        ExplainedInput: {
            /**
             * Format: date-time
             * @description Nothing newer went into it.
             */
            instant: string;
            /** @description Name of the input. */
            name: string;
            /** @description Where it comes from. */
            source: string;
            value: number | string | boolean | null;
        };
        /**
         * ExplainedLine
         * @description A line of the ledger of a score.
         */
        ExplainedLine: {
            /** @description Name of the component. */
            component: string;
            /** @description Points contributed to the total; the lines of a ledger sum to its score. */
            contribution: number;
            /** @description The named inputs that the component was computed from; the note names those that are missing. */
            inputs: {
                [key: string]: number | string | boolean | null;
            };
            /** @description Highest score the component can reach. */
            maximum: number;
            /** @description Why the component has this score, or which input is missing. */
            note: string | null;
            /** @description Component score; null when an input is missing. */
            score: number | null;
            /**
             * @description Side whose ledger it is of.
             * @enum {string}
             */
            side: "bull" | "bear";
            /**
             * @description missing: an input was unavailable, the component was dropped.
             * @enum {string}
             */
            status: "scored" | "missing";
            /** @description Weight after rescaling over the components that are present; 0 when dropped. */
            weight: number;
        };
        /**
         * ExplainedRecord
         * @description How often such claims came true, and how often by chance.
         */
        ExplainedRecord: {
            /** @description Share of the controls that came true. */
            chance: number | null;
            /** @description Trade dates with such a claim. */
            dates: number;
            /** @description Upper limit of its 95 % interval over dates. */
            high: number | null;
            /** @description Names the record: `/api/graph/v1/records` has the whole of it. */
            id: string;
            /** @description Lower limit of its 95 % interval over dates. */
            low: number | null;
            /** @description Claims that came true or did not. */
            n: number;
            /** @description Share that came true; null with too few. */
            rate: number | null;
            /** @description The record in a sentence. */
            says: string;
            /**
             * @description True where some of the data was simulated.
             * @default false
             */
            simulated: boolean;
            /** @description Claims that came true. */
            true: number;
            /**
             * @description Whether an edge is shown.
             * @enum {string}
             */
            verdict: "edge_shown" | "no_edge_shown" | "worse_than_chance" | "too_few" | "explored";
        };
        /**
         * Explanation
         * @description How a field of a stock came about.
         */
        Explanation: {
            /**
             * Format: date-time
             * @description Nothing counts that became known later.
             */
            as_of: string;
            /** @description The field. */
            field: string;
            formula: components["schemas"]["ExplainedFormula"];
            /** @description What to import so that lines without data speak; what wakes most comes first. */
            import_next: components["schemas"]["ImportNext"][];
            /** @description Inputs of the lines, by name. */
            inputs: components["schemas"]["ExplainedInput"][];
            /** @description Lines whose contributions sum to the score of their side; empty without a ledger. */
            ledger: components["schemas"]["ExplainedLine"][];
            nearest_flip: components["schemas"]["ExplainedFlip"] | null;
            /** @description It in plain words. */
            nearest_flip_says: string | null;
            /** @description Why the value is null: what it needs that is not there; null for a value. */
            null_reason: string | null;
            record: components["schemas"]["ExplainedRecord"] | null;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description Market-data feed label of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description Its session.
             */
            trade_date: string;
            /** @description Unit of a number; null without one. */
            unit: string | null;
            value: number | string | boolean | null;
        };
        /**
         * Exposure
         * @description Dealer gamma, delta, vanna and charm by strike and expiration.
         */
        Exposure: {
            /** @description Age of the chain at the instant of the answer, whole minutes; null without a chain. */
            age_minutes: number | null;
            /** @description What is assumed of the books of dealers. */
            assumption: string;
            /**
             * @description How much of the answer there is.
             * @enum {string}
             */
            availability: "available" | "partial" | "stale" | "unavailable";
            /** @description Why the answer is not whole, and what was left out. */
            availability_qualifier: string;
            /** @description Expirations that still live, ascending. */
            by_expiration: components["schemas"]["ExpirationExposure"][];
            /** @description Strikes with usable greeks, ascending. */
            by_strike: components["schemas"]["StrikeExposure"][];
            /**
             * @description True when nothing was computed for this call.
             * @default false
             */
            cached: boolean;
            /** @description Strike with the most call gamma, USD; null without any, or where it is not known. */
            call_wall: number | null;
            /**
             * @description Time that computing took for this call, milliseconds.
             * @default 0
             */
            computation_ms: number;
            /** @description Share of the known open interest with usable greeks, times the share of contracts whose open interest is known. */
            coverage: number | null;
            /** @description Strike nearest to spot at which net gamma summed from the lowest strike changes sign, USD. */
            cumulative_flip: number | null;
            /** @description The inputs that were used, each with its instant. */
            dependencies: string[];
            flip_zone: components["schemas"]["FlipZone"] | null;
            /** @description Version of the formulas. */
            formula_version: string;
            /** @description Price nearest to spot at which the repriced net gamma changes sign, USD; null when there is none within 35 %. */
            gamma_flip: number | null;
            /** @description Strike with the most put gamma, USD; null without any, or where it is not known. */
            put_wall: number | null;
            /**
             * @description Sign of net gamma; neutral below a tenth of the gross, null below half of the open interest, and where that of calls or puts is not known.
             * @enum {string|null}
             */
            regime: "long_gamma" | "short_gamma" | "neutral" | null;
            /** @description Age of the chain at the instant of the answer, sessions: 0 of the same, 1 of the session before; null without a chain. */
            sessions_old: number | null;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * Format: date-time
             * @description When the chain was taken.
             */
            source_time: string | null;
            /** @description Price of the underlying with the chain, USD. */
            spot_price: number | null;
            /** @description Ticker symbol. */
            symbol: string;
            total: components["schemas"]["TotalExposure"] | null;
        };
        /**
         * ExtendedPrint
         * @description The newest print outside the regular session, beside the price of the day: before the open against previous_close, after the close against official_close.
         */
        ExtendedPrint: {
            /** @description price minus the close that it follows, USD. */
            change: number | null;
            /** @description change over that close, percent. */
            change_pct: number | null;
            /** @description Price of the print, USD. */
            price: number;
            /**
             * @description pre: from 04:00 ET to the open; after: from the close to 20:00 ET.
             * @enum {string}
             */
            session: "pre" | "after";
        };
        /**
         * FeedStatus
         * @description How old the newest row of a kind of data is.
         */
        FeedStatus: {
            /** @description From then to `as_of`, seconds. */
            age_seconds: number | null;
            /**
             * @description Kind of data.
             * @enum {string}
             */
            feed: "quotes" | "minute_bars" | "daily_bars" | "option_chains";
            /**
             * Format: date-time
             * @description End of the newest row; null where the tape has none.
             */
            newest_at: string | null;
            /** @description The age that is promised during the regular session, seconds. */
            promised_seconds: number;
            /**
             * @description Against the promise: `market_closed` outside the regular session, where nothing is due.
             * @enum {string}
             */
            state: "fresh" | "late" | "market_closed" | "no_data";
        };
        /**
         * FileReading
         * @description How a file, or one of an archive, is read.
         */
        FileReading: {
            /** @description Its name. */
            file: string;
            /** @description Empty for a file that is refused. */
            findings: components["schemas"]["Finding"][];
            /** @description The first bars as they will be read; empty of other kinds, and where prices follow from the whole file. */
            first: components["schemas"]["FirstBar"][];
            refused: components["schemas"]["RefusedFile"] | null;
        };
        /**
         * Finding
         * @description What was worked out of a file.
         */
        Finding: {
            /** @description From what. */
            evidence: string;
            /** @description What it is about. */
            part: string;
            /**
             * @description `stated` by the file or the caller, `seen` in its rows, `assumed` where no row can tell and nothing depends on it.
             * @enum {string}
             */
            sure: "stated" | "seen" | "assumed";
            /** @description What was found. */
            value: string;
        };
        /**
         * FiredRule
         * @description A rule of the market regime whose condition held.
         */
        FiredRule: {
            /** @description The numbers it used. */
            figures: components["schemas"]["RuleFigure"][];
            /** @description Name. */
            rule: string;
            /** @description The rule in words, with its figures. */
            says: string;
            /** @description Regimes that it speaks for. */
            supports: ("trend_up" | "trend_down" | "range" | "volatile" | "transition")[];
        };
        /**
         * FirstBar
         * @description A bar as it will be on the tape.
         */
        FirstBar: {
            /** @description Date of a daily bar, YYYY-MM-DD; of any other the instant of its start. */
            at: string;
            /** @description Last price. */
            close: number;
            /** @description Highest price. */
            high: number;
            /** @description Lowest price. */
            low: number;
            /** @description First price. */
            open: number;
            /** @description Ticker symbol. */
            symbol: string;
            /** @description Shares; null where the file states none. */
            volume: number | null;
        };
        /**
         * FlipZone
         * @description The two ways to find the flip, where they differ.
         */
        FlipZone: {
            /** @description The higher of them, USD. */
            high: number;
            /** @description The lower of gamma_flip and cumulative_flip, USD. */
            low: number;
        };
        /**
         * Fundamental
         * @description Valuation, profitability, growth and balance sheet, as reported. Percent fields are in percent (12.5 = 12.5 %).
         */
        Fundamental: {
            /** @description Sensitivity of returns to those of the market. */
            beta?: number | null;
            /** @description Book value per share, USD. */
            book_value_per_share?: number | null;
            /** @description Cash and equivalents, USD. */
            cash_and_equivalents?: number | null;
            /** @description Current assets to current liabilities. */
            current_ratio?: number | null;
            /** @description Total debt to equity. */
            debt_to_equity?: number | null;
            /** @description Dividend yield, percent. */
            dividend_yield?: number | null;
            /** @description Earnings growth year over year, percent. */
            earnings_growth_yoy?: number | null;
            /** @description Enterprise value, USD. */
            enterprise_value?: number | null;
            /** @description Earnings per share, trailing twelve months, USD. */
            eps_ttm?: number | null;
            /** @description Enterprise value to EBITDA. */
            ev_ebitda?: number | null;
            /**
             * @description Why `ev_ebitda` should not be compared.
             * @enum {string|null}
             */
            ev_ebitda_warning?: "negative_ebitda" | "extremely_high" | null;
            /** @description Exchange of the primary listing. */
            exchange?: string | null;
            /** @description Shares in free float. */
            float_shares?: number | null;
            /** @description Price to estimated forward earnings. */
            forward_pe?: number | null;
            /** @description Free float as percent of shares outstanding. */
            free_float_pct?: number | null;
            /** @description Gross margin, percent. */
            gross_margin?: number | null;
            /** @description Market capitalisation, USD. */
            market_cap?: number | null;
            /** @description (total_debt - cash) / EBITDA. */
            net_leverage?: number | null;
            /** @description Net margin, percent. */
            net_margin?: number | null;
            /** @description Operating cash flow, trailing twelve months, USD. */
            operating_cash_flow?: number | null;
            /** @description Operating margin, percent. */
            operating_margin?: number | null;
            /** @description Share of earnings paid as dividends, percent. */
            payout_ratio?: number | null;
            /** @description Price to earnings, trailing twelve months. */
            pe_ratio?: number | null;
            /** @description Forward P/E / (earnings growth YoY * 100), growth as a fraction. */
            peg_ratio?: number | null;
            /** @description `negative_base` when prior-period EPS is negative. */
            peg_warning?: string | null;
            /** @description Price to book value. */
            price_to_book?: number | null;
            /** @description Price to sales. */
            price_to_sales?: number | null;
            /** @description Profit margin, percent. */
            profit_margin?: number | null;
            /** @description Revenue growth year over year, percent. */
            revenue_growth_yoy?: number | null;
            /** @description Return on assets, percent. */
            roa?: number | null;
            /** @description Return on equity, percent. */
            roe?: number | null;
            /** @description Return on invested capital, percent. */
            roic?: number | null;
            /** @description Sector of the company. */
            sector?: string | null;
            /** @description Shares outstanding. */
            shares_outstanding?: number | null;
            /** @description Total debt, USD. */
            total_debt?: number | null;
        };
        /**
         * GraphEdge
         * @description An edge between two nodes of this answer.
         */
        GraphEdge: {
            /** @description What is true of the edge, e.g. the strength of a level. */
            props: {
                [key: string]: unknown;
            };
            /** @description `id` of a node. */
            source: string;
            /** @description `id` of a node. */
            target: string;
            /**
             * @description What it says.
             * @enum {string}
             */
            type: "OF" | "IN_SECTOR" | "IN_INDUSTRY" | "PEER_OF" | "EXPOSED_TO" | "MATCHES" | "EXHIBITS" | "HAS_EVENT" | "MENTIONED_IN" | "HAS_LEVEL" | "ON";
        };
        /**
         * GraphNode
         * @description A node of the graph.
         */
        GraphNode: {
            /** @description Rings from the stock; 0 for it and its stock-day. */
            depth: number;
            /** @description Label and key, e.g. `Stock:AAPL`. */
            id: string;
            /** @description Its name, unique within the label. */
            key: string;
            /** @description What it is: Stock, StockDay, Level, Pattern, Sector … */
            label: string;
            /** @description What is true of the node. */
            props: {
                [key: string]: unknown;
            };
        };
        /**
         * History
         * @description Fields of one stock over trade dates, as columns.
         */
        History: {
            /**
             * Format: date-time
             * @description Nothing counts that became known later.
             */
            as_of: string;
            /** @description The values by field, in the order of the request. */
            columns: {
                [key: string]: (number | string | boolean | null)[];
            };
            /** @description Sessions of the range, ascending, from the first of the stock on. */
            dates: string[];
            derivation: components["schemas"]["HistoryDerivation"] | null;
            /** @description Fields of the request that follow from bars alone: their values are complete on every date. */
            from_bars: string[];
            /** @description Leads to the sessions beyond `limit`, without `from` to those before them; null on the last page. */
            next_cursor: string | null;
            /** @description With `derive=wait` the dates that were not derived; ask again for them. */
            not_derived: string[];
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /** @description For each date: `stored` and `derived` are complete; nulls of fields outside `from_bars` will change where it is `deriving`, and on request where it is `derivable`; the stock did not trade where it is `no_bar`. */
            states: ("stored" | "derived" | "deriving" | "derivable" | "no_bar")[];
            /** @description Ticker symbol. */
            symbol: string;
        };
        /**
         * HistoryDerivation
         * @description A derivation of dates in the background.
         */
        HistoryDerivation: {
            /** @description Address that answers the same dates with what is derived by then. */
            ask_again: string;
            /** @description Dates that it derives. */
            dates: number;
            /** @description Dates that it has derived so far. */
            derived: number;
        };
        /**
         * Hole
         * @description Sessions in a row without data.
         */
        Hole: {
            /**
             * Format: date
             * @description The first.
             */
            from: string;
            /** @description How many. */
            sessions: number;
            /**
             * Format: date
             * @description The last.
             */
            to: string;
        };
        /** HTTPValidationError */
        HTTPValidationError: {
            detail: components["schemas"]["ValidationError"][];
        };
        /**
         * Import
         * @description A file that is brought.
         */
        Import: {
            /** @description Length of the file. */
            bytes: number;
            /** @description Name of the file. */
            file: string;
            /** @description Files in it that were read so far: of an archive each, else one. */
            files: number;
            /** @description Of those, files that cannot be imported as they are. */
            files_refused: number;
            /** @description Identifier. */
            id: string;
            /** @description Why it failed, or what its end means. */
            message: string | null;
            /** @description Most bytes of a part. */
            part_bytes: number;
            /** @description How the file is going to be read; of an archive each of its files, of many the first 200 and the first refused. */
            readings: components["schemas"]["FileReading"][];
            /** @description Bytes of it that are here. */
            received: number;
            report: components["schemas"]["ImportReport"] | null;
            /** @description Rows that were read so far. */
            rows_read: number;
            /** @description Share of the import that is done; null before it. */
            share_done: number | null;
            /**
             * @description `reading` is to be asked after again; `read` waits for its start.
             * @enum {string}
             */
            state: "uploading" | "reading" | "read" | "importing" | "imported" | "cancelled" | "failed";
        };
        /**
         * ImportNext
         * @description A kind of data that lines of a ledger lack.
         */
        ImportNext: {
            /**
             * @description Kind of data.
             * @enum {string}
             */
            data: "daily_bars" | "minute_bars" | "option_chain" | "volatility_index" | "trades" | "earnings" | "news";
            /** @description What of it to import. */
            says: string;
            /** @description Lines that it would wake. */
            wakes: string[];
        };
        /**
         * ImportReport
         * @description What an import brought.
         */
        ImportReport: {
            /** @description Daily bars that were summed from intraday ones. */
            daily_bars_summed: number;
            /** @description Splits, dividends and reported facts. */
            facts_kept: number;
            /** @description What was not taken. */
            refused: components["schemas"]["RefusedRows"][];
            /** @description Rows that are on the tape now. */
            rows_kept: number;
            /** @description Of those, rows that were there before. */
            rows_known: number;
            /** @description By symbol. */
            symbols: components["schemas"]["SymbolRows"][];
        };
        /**
         * Imports
         * @description Files that were brought.
         */
        Imports: {
            /** @description Newest first. */
            imports: components["schemas"]["Import"][];
        };
        /** JsonWebKey */
        JsonWebKey: {
            alg: string;
            crv: string;
            /** @description Its name; the header of a token says which one signed it. */
            kid: string;
            kty: string;
            use: string;
            /** @description The public key. */
            x: string;
        };
        /**
         * JsonWebKeySet
         * @description Public keys that tokens of this installation verify with.
         */
        JsonWebKeySet: {
            keys: components["schemas"]["JsonWebKey"][];
        };
        /**
         * LadderLevel
         * @description A level seen from the last price; distances are level minus price.
         */
        LadderLevel: {
            /**
             * Format: date-time
             * @description End of the bar that broke it, else of the last one by which it held.
             */
            decided_at: string | null;
            /** @description Distance, USD; negative for support. */
            distance: number;
            /** @description Distance in daily_atr 14; null without one. */
            distance_atr: number | null;
            /** @description Distance, percent of the last price. */
            distance_pct: number;
            /**
             * @description Where the level comes from; levels cut from the same prints are one family.
             * @enum {string}
             */
            family: "prior_day" | "prior_week" | "prior_month" | "pivot" | "opening" | "overnight" | "vwap" | "prior_profile" | "developing_profile" | "recent_range" | "moving_average" | "pattern" | "options" | "round_number";
            /** @description How many times it held. */
            holds: number | null;
            /** @description Name of the level, as in the block that it comes from. */
            name: string;
            /** @description Price of the level, USD. */
            price: number;
            /**
             * @description support at or below the last price, resistance above.
             * @enum {string}
             */
            side: "support" | "resistance";
            /**
             * @description What became of it in the regular session so far, by its bars: untouched; touched (exactly, or jumped over) and not decided; held (price went 0.25 ATR back, or closed the session on its side); broken (price went 0.25 ATR beyond, or closed the session beyond), which it stays. Opening ranges from the end of their window on; VWAP and the developing profile where they were before each bar, a moving average where it was after the first minute. Null before the first bar, while a range forms, for a level that is of the next session or without a path (developing_hvn), and where the session is not seen whole.
             * @enum {string|null}
             */
            state: "untouched" | "touched" | "held" | "broken" | null;
            /** @description 1 - product of (1 - weight) over the families within 0.25 ATR of the level. */
            strength: number;
            /**
             * Format: date-time
             * @description End of the first bar that reached it.
             */
            touched_at: string | null;
        };
        /**
         * LeftOff
         * @description Nodes that are not shown.
         */
        LeftOff: {
            /**
             * @description True where there were more than are counted.
             * @default false
             */
            at_least: boolean;
            /** @description How many. */
            count: number;
            /**
             * @description Along which edges.
             * @enum {string}
             */
            type: "OF" | "IN_SECTOR" | "IN_INDUSTRY" | "PEER_OF" | "EXPOSED_TO" | "MATCHES" | "EXHIBITS" | "HAS_EVENT" | "MENTIONED_IN" | "HAS_LEVEL" | "ON";
        };
        /**
         * LevelLadder
         * @description All levels as a ladder with ATR distances and confluence zones.
         */
        LevelLadder: {
            /** @description Daily ATR(14) of the completed sessions that distances are measured in, USD. */
            atr: number | null;
            /** @description Price that the distances are measured from, USD. */
            last_price: number;
            /** @description The levels, highest price first. */
            levels: components["schemas"]["RecordedLevel"][];
            nearest_resistance: components["schemas"]["LadderLevel"] | null;
            nearest_support: components["schemas"]["LadderLevel"] | null;
            /** @description Confluence zones, highest first; empty without an ATR. */
            zones: components["schemas"]["ConfluenceZone"][];
        };
        /**
         * Levels
         * @description Price levels of the trade date, USD as traded on it; null where one is not defined (yet) or lies more than 25 daily ATR from the last price.
         */
        Levels: {
            /** @description Bottom of the central pivot range, USD. */
            cpr_bc?: number | null;
            /** @description Top of the central pivot range: the higher of (H + L) / 2 and 2P - (H + L) / 2, USD. */
            cpr_tc?: number | null;
            /** @description Point of control of the regular session so far. */
            developing_poc?: number | null;
            /** @description Upper edge of the value area of the regular session so far. */
            developing_vah?: number | null;
            /** @description Lower edge of the value area of the regular session so far. */
            developing_val?: number | null;
            /** @description ib_high + 0.5 ib_range, USD. */
            ib_1_5x_high?: number | null;
            /** @description ib_low - 0.5 ib_range, USD. */
            ib_1_5x_low?: number | null;
            /** @description ib_high + ib_range, USD. */
            ib_2x_high?: number | null;
            /** @description ib_low - ib_range, USD. */
            ib_2x_low?: number | null;
            /**
             * @description True from the first bar of the initial balance until 10:30 ET.
             * @default false
             */
            ib_developing?: boolean;
            /** @description High of the initial balance, 9:30-10:30 ET, USD. */
            ib_high?: number | null;
            /** @description Low of the initial balance, 9:30-10:30 ET, USD. */
            ib_low?: number | null;
            /** @description ib_high minus ib_low, USD. */
            ib_range?: number | null;
            /**
             * Format: date-time
             * @description Start of the first bar of the regular session, where it is later than the open: initial balance and opening ranges hold nothing of what came before, and are null where their window was over by then. Null where it began with the open.
             */
            opening_from?: string | null;
            /** @description High of 9:30-9:35 ET, USD. */
            orb_5m_high?: number | null;
            /** @description Low of 9:30-9:35 ET, USD. */
            orb_5m_low?: number | null;
            /**
             * @description Status of the 5-minute opening range by 1-minute closes (longer bars where the tape has no others); null until the window closes, and where the feed stopped before the close.
             * @enum {string|null}
             */
            orb_5m_status?: "inside" | "breakout_up" | "breakout_down" | "failed_breakout_up" | "failed_breakout_down" | null;
            /** @description High of 9:30-9:45 ET, USD. */
            orb_15m_high?: number | null;
            /** @description Low of 9:30-9:45 ET, USD. */
            orb_15m_low?: number | null;
            /**
             * @description Status of the 15-minute opening range by 1-minute closes (longer bars where the tape has no others); null until the window closes, and where the feed stopped before the close.
             * @enum {string|null}
             */
            orb_15m_status?: "inside" | "breakout_up" | "breakout_down" | "failed_breakout_up" | "failed_breakout_down" | null;
            /** @description High of 9:30-10:00 ET. */
            orb_30m_high?: number | null;
            /** @description Low of 9:30-10:00 ET. */
            orb_30m_low?: number | null;
            /**
             * @description Status of the 30-minute opening range by 1-minute closes (longer bars where the tape has no others); null until the window closes, and where the feed stopped before the close.
             * @enum {string|null}
             */
            orb_30m_status?: "inside" | "breakout_up" | "breakout_down" | "failed_breakout_up" | "failed_breakout_down" | null;
            /** @description Highest price from the prior close to the open (16:00-9:30 ET), USD. */
            overnight_high?: number | null;
            /** @description Lowest price from the prior close to the open (16:00-9:30 ET), USD. */
            overnight_low?: number | null;
            /** @description Close of the prior regular session, USD. */
            pdc?: number | null;
            /** @description High of the prior regular session, USD. */
            pdh?: number | null;
            /** @description Low of the prior regular session, USD. */
            pdl?: number | null;
            /** @description Floor pivot: (H + L + C) / 3 of the prior regular session, USD. */
            pivot_pp?: number | null;
            /** @description 2P - L, USD. */
            pivot_r1?: number | null;
            /** @description P + (H - L), USD. */
            pivot_r2?: number | null;
            /** @description H + 2(P - L), USD. */
            pivot_r3?: number | null;
            /** @description 2P - H, USD. */
            pivot_s1?: number | null;
            /** @description P - (H - L), USD. */
            pivot_s2?: number | null;
            /** @description L - 2(H - P), USD. */
            pivot_s3?: number | null;
            /**
             * Format: date
             * @description Session that the pivots and prior-day levels come from.
             */
            prior_date?: string | null;
            /** @description High of the calendar month before, USD. */
            prior_month_high?: number | null;
            /** @description Low of the calendar month before, USD. */
            prior_month_low?: number | null;
            /** @description Point of control of the prior regular session, USD. */
            prior_poc?: number | null;
            /** @description Upper edge of the value area of the prior regular session, USD. */
            prior_vah?: number | null;
            /** @description Lower edge of the value area of the prior regular session, USD. */
            prior_val?: number | null;
            /** @description High of the calendar week before, USD. */
            prior_week_high?: number | null;
            /** @description Low of the calendar week before, USD. */
            prior_week_low?: number | null;
            /** @description VWAP of the regular session, anchored at 9:30 ET, USD. */
            vwap?: number | null;
            /** @description VWAP - 1 volume-weighted deviation, USD. */
            vwap_lower_1?: number | null;
            /** @description VWAP - 2 volume-weighted deviations, USD. */
            vwap_lower_2?: number | null;
            /** @description VWAP + 1 volume-weighted deviation, USD. */
            vwap_upper_1?: number | null;
            /** @description VWAP + 2 volume-weighted deviations, USD. */
            vwap_upper_2?: number | null;
        };
        /**
         * ListedSymbol
         * @description A symbol of the tape.
         */
        ListedSymbol: {
            /**
             * Format: date
             * @description The first trade date with a bar.
             */
            first_session: string;
            has: components["schemas"]["SymbolData"];
            /**
             * Format: date
             * @description The last trade date of which a bar was final at `as_of`.
             */
            last_session: string;
            /** @description Name of the company; null where none was reported. */
            name: string | null;
            /** @description Sector of the company; null where none was reported. */
            sector: string | null;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /** @description Ticker symbol. */
            symbol: string;
        };
        /**
         * LiveFeed
         * @description A source of running sessions, and what came of it.
         */
        LiveFeed: {
            /** @description How far that bar is behind the market, seconds, by the source's clock where the clock of this machine is off; null without a running session. */
            behind_seconds: number | null;
            /** @description Calls that are left of this minute. */
            calls_left: number | null;
            /** @description Calls that the plan allows; null without calls. */
            calls_per_minute: number | null;
            /** @description Whether its stream is connected; null where it needs no connection. */
            connected: boolean | null;
            /** @description How far the plan lets the stream run behind the market, seconds; null for a plan without a stream. */
            delay_seconds: number | null;
            /** @description Name of what it streams, e.g. `alpaca-iex`; stock answers name one of one exchange in `price.partial_feed`. */
            feed: string;
            /** @description Holes of the session, in the order of time. */
            holes: components["schemas"]["StreamHole"][];
            /**
             * Format: date-time
             * @description End of its newest bar that the caller may see.
             */
            last_row_at: string | null;
            /**
             * @description Whether it streams one exchange alone, whose volume is not that of the stocks.
             * @default false
             */
            partial: boolean;
            /** @description What was refused, in the order of the first of each reason. */
            refused: components["schemas"]["RefusedLiveRows"][];
            /** @description Why rows do not arrive or are not trusted, or what is brought; else null. */
            says: string | null;
            /**
             * @description `live`: rows arrive; `quiet`: none does outside of regular hours; `late`: none does within them; `disconnected`; `filling`: the past is brought first; `waiting`: no session runs that it streams.
             * @enum {string}
             */
            state: "live" | "quiet" | "late" | "disconnected" | "filling" | "waiting";
            /** @description As a person names it. */
            title: string;
            /**
             * Format: date
             * @description Session of the rows and holes; null before the first.
             */
            trade_date: string | null;
        };
        /**
         * LiveFeeds
         * @description The live feeds that this process follows.
         */
        LiveFeeds: {
            /**
             * Format: date-time
             * @description The market's clock.
             */
            at: string;
            /** @description None where another process follows them, or none is. */
            feeds: components["schemas"]["LiveFeed"][];
        };
        /**
         * Loaded
         * @description What is loaded.
         */
        Loaded: {
            /** @description The newest 50 sources, on the first page. */
            deliveries: components["schemas"]["Delivered"][];
            /** @description By ticker. */
            loaded: components["schemas"]["LoadedSymbol"][];
            /**
             * Format: date-time
             * @description End of the newest row of what matches; null where nothing is loaded.
             */
            newest: string | null;
            /** @description Leads to the next symbols; null on the last page. */
            next_cursor: string | null;
            /** @description How many match. */
            symbols: number;
        };
        /**
         * LoadedNext
         * @description A kind of data that the symbol lacks.
         */
        LoadedNext: {
            /**
             * @description Kind of data.
             * @enum {string}
             */
            data: "daily_bars" | "minute_bars" | "option_chain" | "volatility_index" | "trades" | "earnings" | "news";
            /** @description What of it to import. */
            says: string;
        };
        /**
         * LoadedSeries
         * @description What is loaded of a kind of data of a symbol.
         */
        LoadedSeries: {
            /**
             * Format: date
             * @description The first date.
             */
            first: string;
            /** @description Between the first and the last date, the newest 50; ascending. Facts have none. */
            holes: components["schemas"]["Hole"][];
            /**
             * @description Kind of data.
             * @enum {string}
             */
            kind: "days" | "minutes" | "prints" | "quotes" | "chains" | "volatility" | "facts";
            /**
             * Format: date
             * @description The last date.
             */
            last: string;
            /** @description Sessions in all holes. */
            missing: number;
            /** @description Sessions with data, of facts how many there are. */
            sessions: number;
        };
        /**
         * LoadedSymbol
         * @description What is loaded of a symbol.
         */
        LoadedSymbol: {
            /** @description Company name. */
            name: string | null;
            /** @description What to import so that more of it is known. */
            next: components["schemas"]["LoadedNext"][];
            /** @description By kind. */
            series: components["schemas"]["LoadedSeries"][];
            /**
             * @description Whether rows were made by the simulated feed.
             * @default false
             */
            simulated: boolean;
            /** @description Ticker symbol. */
            symbol: string;
        };
        /**
         * MarketBreadth
         * @description How many stocks take part.
         */
        MarketBreadth: {
            /** @description Share above the 50-session mean, percent. */
            above_sma_50_pct: number | null;
            /** @description Share above the 200-session mean, percent. */
            above_sma_200_pct: number | null;
            /** @description Advancers over decliners. */
            advance_decline_ratio: number | null;
            /** @description Stocks that rose. */
            advancers: number;
            /** @description Stocks that fell. */
            decliners: number;
            /** @description Stocks at a high of 252 sessions. */
            new_highs_252: number;
            /** @description Stocks at a low of 252 sessions. */
            new_lows_252: number;
            /** @description Stocks with a bar on the session and on the one before. */
            stocks: number;
            /** @description Stocks that did neither. */
            unchanged: number;
        };
        /**
         * MarketContext
         * @description The state of the market as a whole.
         */
        MarketContext: {
            /**
             * Format: date-time
             * @description Nothing newer than this counts.
             */
            as_of: string;
            breadth: components["schemas"]["MarketBreadth"] | null;
            clock: components["schemas"]["SessionClock"];
            events: components["schemas"]["EventClock"];
            index: components["schemas"]["MarketIndex"] | null;
            /**
             * Format: date-time
             * @description The instant of index, VIX, breadth and sectors: the close once the session has closed.
             */
            market_as_of: string;
            /** @description Every null of index, VIX, breadth, sectors, regime and events, with its reason. */
            missing: components["schemas"]["Missing"][];
            regime: components["schemas"]["MarketRegime"];
            /** @description Best 20-session return first. */
            sectors: components["schemas"]["MarketSector"][];
            /** @description Sessions that the market has completed since the session of this answer; 0 with `date` or `as_of`, which ask for nothing newer. */
            sessions_behind: number;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /**
             * Format: date
             * @description The session that this answer is of.
             */
            trade_date: string;
            vix: components["schemas"]["MarketVix"] | null;
        };
        /**
         * MarketIndex
         * @description The index of the market and its trend on daily bars.
         */
        MarketIndex: {
            /** @description Last over the 50-session mean, percent. */
            distance_sma_50_pct: number | null;
            /** @description Last over the 200-session mean, percent. */
            distance_sma_200_pct: number | null;
            /** @description Last close, or the newest price of the running session, in its quoted unit (USD of a fund, points of an index). */
            last: number;
            /** @description Return over a session, percent. */
            return_1d_pct: number | null;
            /** @description Return over five sessions, percent. */
            return_5d_pct: number | null;
            /** @description Return over twenty sessions, percent. */
            return_20d_pct: number | null;
            /**
             * Format: date
             * @description Session of the last close; null while the session runs.
             */
            session: string | null;
            /** @description 20-session least-squares slope of ln(close), percent a year. */
            slope_20_pct: number | null;
            /** @description Mean of the last 50 closes, in the unit of `last`. */
            sma_50: number | null;
            /** @description Mean of the last 200 closes, in the unit of `last`. */
            sma_200: number | null;
            /** @description Ticker that was read. */
            symbol: string;
            /**
             * @description Two of three votes: price, averages, slope.
             * @enum {string|null}
             */
            trend: "up" | "down" | "sideways" | null;
        };
        /**
         * MarketRegime
         * @description The regime of the market as a whole, with the rules that fired.
         */
        MarketRegime: {
            /** @description Share of the fired rules that speak for the regime, 0-1. */
            confidence: number | null;
            /** @description The rules that settled it. */
            decided_by: string[];
            /** @description Version of the rules. */
            formula_version: string;
            /**
             * @description Trend of the index.
             * @enum {string|null}
             */
            index_trend: "up" | "down" | "sideways" | null;
            /**
             * @description The regime.
             * @enum {string|null}
             */
            regime: "trend_up" | "trend_down" | "range" | "volatile" | "transition" | null;
            /** @description In the order of the list of rules. */
            rules_fired: components["schemas"]["FiredRule"][];
        };
        /**
         * MarketSector
         * @description A sector by its stocks, equally weighted.
         */
        MarketSector: {
            /** @description Sectors that are ranked. */
            of: number;
            /** @description 1 is the best by 20-session return. */
            rank: number;
            /** @description Mean return over a session, percent. */
            return_1d_pct: number | null;
            /** @description Mean return over five sessions, percent. */
            return_5d_pct: number | null;
            /** @description Mean return over twenty sessions, percent. */
            return_20d_pct: number | null;
            /** @description Name. */
            sector: string;
            /** @description Stocks. */
            stocks: number;
        };
        /**
         * MarketVix
         * @description The volatility index of the market.
         */
        MarketVix: {
            /** @description Change over a session, percent. */
            change_1d_pct: number | null;
            /** @description Index points. */
            level: number;
            /** @description Share of the last 252 sessions that closed lower, percent. */
            percentile_252: number | null;
            /**
             * @description Regime of the level.
             * @enum {string|null}
             */
            regime: "COMPLACENT" | "NORMAL" | "ELEVATED" | "EXTREME_FEAR" | null;
            /** @description Ticker that was read. */
            symbol: string;
        };
        /**
         * Missing
         * @description Why something is null.
         */
        Missing: {
            /** @description Its path in this answer. */
            field: string;
            /** @description Why there is none. */
            reason: string;
        };
        /**
         * MomentumHealthV5
         * @description Whether the momentum of the stock is sound or tiring.
         */
        MomentumHealthV5: {
            /**
             * Format: date-time
             * @description When the score was computed.
             */
            computed_at: string;
            /**
             * @description Direction of the momentum.
             * @enum {string|null}
             */
            direction: "up" | "down" | "flat" | null;
            /** @description Distance of price from SMA20 in daily ATR(14); positive above. */
            distance_sma20_atr: number | null;
            /** @description Version of the formula. */
            formula_version: string;
            /** @description Lines whose contributions sum to the score. */
            ledger: components["schemas"]["ScoreLedgerLine"][];
            /** @description 20-day return minus a third of the 60-day return, percent. */
            momentum_acceleration: number | null;
            /** @description Health of the momentum. */
            score: number | null;
            /**
             * @description Band of the score.
             * @enum {string|null}
             */
            state: "healthy" | "extended" | "fading" | "exhausted" | "absent" | null;
        };
        /**
         * MovingAverages
         * @description Moving averages of daily closes, USD; each null until it has a full window. EMAs start from the SMA of their first window.
         */
        MovingAverages: {
            /** @description Exponential, 9 sessions, USD. */
            ema_9: number | null;
            /** @description Exponential, 20 sessions, USD. */
            ema_20: number | null;
            /** @description Simple, 20 sessions, USD. */
            sma_20: number | null;
            /** @description Simple, 50 sessions, USD. */
            sma_50: number | null;
            /** @description Simple, 200 sessions, USD. */
            sma_200: number | null;
        };
        /**
         * NearestFlip
         * @description The smallest change of a single input, all others held, that would move a tier or the bias.
         */
        NearestFlip: {
            /** @description |to - from| in units of the input's documented scale. */
            distance: number;
            /**
             * @description What would move.
             * @enum {string}
             */
            flips: "directional_bias" | "bullish_tier" | "bearish_tier";
            /** @description Its value now. */
            from: number;
            /** @description Name of the input. */
            input: string;
            /**
             * @description What it is now.
             * @enum {string}
             */
            label_from: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | "bullish" | "bearish" | "neutral";
            /**
             * @description What it would be.
             * @enum {string}
             */
            label_to: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | "bullish" | "bearish" | "neutral";
            /** @description Its value just beyond the edge. */
            to: number;
        };
        /**
         * Neighborhood
         * @description The nodes around a stock on a trade date, ring by ring.
         */
        Neighborhood: {
            /**
             * Format: date-time
             * @description The instant that the edges of the stock-day speak for.
             */
            as_of: string;
            /**
             * @description Requested rings.
             * @default 1
             */
            depth: number;
            /** @description Edges of every node that was walked on from. */
            edges: components["schemas"]["GraphEdge"][];
            /** @description How many, of the rings that were walked. */
            left_off: components["schemas"]["LeftOff"][];
            /**
             * @description Nodes at most.
             * @default 100
             */
            limit: number;
            /** @description Ring by ring; within a ring the best of each type first, then the second best of each. */
            nodes: components["schemas"]["GraphNode"][];
            /** @description What else is not in this answer, and why. */
            notes: string[];
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description The date whose edges were walked along.
             */
            trade_date: string;
            /**
             * @description True when nodes were left off, or rings not walked.
             * @default false
             */
            truncated: boolean;
            /** @description Edges that were walked along. */
            types: ("OF" | "IN_SECTOR" | "IN_INDUSTRY" | "PEER_OF" | "EXPOSED_TO" | "MATCHES" | "EXHIBITS" | "HAS_EVENT" | "MENTIONED_IN" | "HAS_LEVEL" | "ON")[];
        };
        /**
         * News
         * @description Summary of the news events known at the instant.
         */
        News: {
            /** @description Events of the last 24 hours over the daily mean of the last 30 days; null with fewer than 10 in 30 days. */
            burst: number | null;
            /** @description Events published in the last 7 days. */
            count_7d: number;
            /** @description Events published in the last 24 hours. */
            count_24h: number;
            /** @description The events of the last 30 days, the newest 50, newest first. */
            items: components["schemas"]["NewsItem"][];
            /**
             * Format: date-time
             * @description When the newest event was published.
             */
            latest_published_at: string | null;
            /**
             * @description Tone of the last 24 hours, weighted by relevance.
             * @enum {string|null}
             */
            sentiment: "positive" | "negative" | "neutral" | null;
            /** @description Relevance-weighted mean tone of the last 24 hours, -1 to 1. */
            sentiment_score: number | null;
        };
        /**
         * NewsItem
         * @description One news event that mentions the stock.
         */
        NewsItem: {
            /** @description Kind of event, e.g. earnings, guidance, merger, regulatory, product. */
            event_type: string | null;
            /** @description Headline. */
            headline: string;
            /** @description Identity of the event: its UTC date and its headline in lower case; reports of the same event share it. */
            id: string;
            /**
             * Format: date-time
             * @description When it was published.
             */
            published_at: string;
            /** @description How much the event is about this stock, 0-1. */
            relevance: number | null;
            /**
             * @description Tone for the stock.
             * @enum {string|null}
             */
            sentiment: "positive" | "negative" | "neutral" | null;
            /** @description Tone from -1 (negative) to 1 (positive). */
            sentiment_score: number | null;
            /**
             * @description Who scored the tone: the vendor of the news, or a list of rated words (AFINN-165 for market news).
             * @enum {string|null}
             */
            sentiment_source: "vendor" | "lexicon" | null;
            /** @description Publisher. */
            source: string | null;
            /** @description Short summary. */
            summary: string | null;
            /** @description URL of the report. */
            url: string | null;
        };
        /**
         * NextBell
         * @description The next opening or closing bell.
         */
        NextBell: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /**
             * @description Which.
             * @enum {string}
             */
            kind: "open" | "close";
            /** @description Minutes from the time of the clock. */
            minutes: number;
        };
        /**
         * NextDeparture
         * @description The next weekday that is not a full session.
         */
        NextDeparture: {
            /**
             * Format: date-time
             * @description End of regular trading; null on a holiday.
             */
            closes_at: string | null;
            /**
             * Format: date
             * @description Which.
             */
            date: string;
            /**
             * @description How it departs.
             * @enum {string}
             */
            kind: "holiday" | "early_close" | "late_open";
            /**
             * Format: date-time
             * @description Begin of regular trading; null on a holiday.
             */
            opens_at: string | null;
            /** @description The occasion. */
            reason: string;
        };
        /** OptimizationRequest */
        OptimizationRequest: {
            /**
             * @description Dollars a share, paid at entry and at exit.
             * @default 0
             */
            commission_per_share?: number;
            /**
             * Format: date
             * @description Last trade date, not after today. A session that is not over yet is left out.
             */
            end_date: string;
            /** @description Intraday signals whose entries are tried. */
            signal_types: ("vwap_touch" | "ib_breakout" | "ib_retest" | "or_hold" | "level_confluence" | "trend_continuation")[];
            /**
             * @description Basis points of the entry price lost at every fill but that of a target.
             * @default 0
             */
            slippage_bps?: number;
            /**
             * Format: date
             * @description First trade date.
             */
            start_date: string;
            /**
             * @description Stops to try, in multiples of the daily ATR.
             * @default [
             *       0.5,
             *       1,
             *       1.5,
             *       2
             *     ]
             */
            stop_atr_range?: number[];
            /** @description Ticker symbols; one that is repeated counts once. */
            symbols: string[];
            /**
             * @description Targets to try, in multiples of the daily ATR.
             * @default [
             *       1,
             *       1.5,
             *       2,
             *       3,
             *       4
             *     ]
             */
            target_atr_range?: number[];
            /**
             * @description Number of best results.
             * @default 10
             */
            top_n?: number;
        };
        /**
         * OptimizationRequestTaken
         * @description The request in canonical form.
         */
        OptimizationRequestTaken: {
            /** @description Dollars a share, each way. */
            commission_per_share: number;
            /**
             * Format: date
             * @description Last trade date.
             */
            end_date: string;
            /** @description In the order of the contract. */
            signal_types: ("vwap_touch" | "ib_breakout" | "ib_retest" | "or_hold" | "level_confluence" | "trend_continuation")[];
            /** @description Basis points. */
            slippage_bps: number;
            /**
             * Format: date
             * @description First trade date.
             */
            start_date: string;
            /** @description Ascending. */
            stop_atr_range: number[];
            /** @description Ascending. */
            symbols: string[];
            /** @description Ascending. */
            target_atr_range: number[];
            /** @description Number of best results. */
            top_n: number;
        };
        /**
         * OptimizationResult
         * @description One of the best cells.
         */
        OptimizationResult: {
            /** @description Share of trades whose last bar touched both stop and target; they count as stopped. */
            ambiguous_share: number | null;
            /** @description Mean R: profit after costs over the initial risk. */
            avg_rr_ratio: number | null;
            /** @description By day type. */
            by_day_type: components["schemas"]["BacktestDayPart"][];
            /** @description By direction. */
            by_direction: components["schemas"]["BacktestDirectionPart"][];
            /** @description By signal type. */
            by_signal_type: components["schemas"]["BacktestSignalPart"][];
            /** @description Probability that the true Sharpe ratio is above what the best of so many cells shows by chance. */
            deflated_sharpe_ratio: number | null;
            in_sample: components["schemas"]["BacktestMetrics"] | null;
            /** @description Greatest fall of the running sum of R from its peak, in R. */
            max_drawdown: number | null;
            out_of_sample: components["schemas"]["BacktestMetrics"] | null;
            parameter_set: components["schemas"]["ParameterSet"];
            /** @description Gross gain over gross loss; null without a loss. */
            profit_factor: number | null;
            /** @description Sharpe ratio of the sums of R by session, annualised by the root of 252. */
            sharpe_ratio: number | null;
            /** @description Sum of R. */
            total_r: number;
            /** @description Trades. */
            total_trades: number;
            /** @description Share of trades with a gain after costs. */
            win_rate: number | null;
        };
        /**
         * OptimizationRun
         * @description An optimisation run: its progress and its outcome.
         */
        OptimizationRun: {
            analysis: components["schemas"]["BacktestAnalysis"] | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description Of a failed run: what is wrong and what to change. */
            error_message: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /** @description Every cell, stop by stop; only on request. */
            grid: components["schemas"]["BacktestCell"][] | null;
            /**
             * Format: uuid
             * @description Identifier of the run.
             */
            id: string;
            /**
             * Format: date
             * @description Last session of the run.
             */
            last_session: string;
            /** @description Progress of the run; it never falls. */
            progress_pct: number;
            request: components["schemas"]["OptimizationRequestTaken"];
            /** @description The best cells, best Sharpe ratio first; empty until the run is completed. */
            results: components["schemas"]["OptimizationResult"][];
            /**
             * @description True when a completed run answered an identical request on the same data.
             * @default false
             */
            reused: boolean;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * Format: date-time
             * @description When it first started.
             */
            started_at: string | null;
            /**
             * @description State of the run.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
        };
        /**
         * OptimizationRunHead
         * @description A run without its outcome.
         */
        OptimizationRunHead: {
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description Of a failed run: what is wrong and what to change. */
            error_message: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at: string | null;
            /**
             * Format: uuid
             * @description Identifier of the run.
             */
            id: string;
            /**
             * Format: date
             * @description Last session of the run.
             */
            last_session: string;
            /** @description Progress of the run; it never falls. */
            progress_pct: number;
            request: components["schemas"]["OptimizationRequestTaken"];
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * Format: date-time
             * @description When it first started.
             */
            started_at: string | null;
            /**
             * @description State of the run.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
        };
        /**
         * OptimizationRuns
         * @description A page of runs, newest first.
         */
        OptimizationRuns: {
            /** @description Leads to the next page; null on the last. */
            next_cursor: string | null;
            /** @description Newest first. */
            runs: components["schemas"]["OptimizationRunHead"][];
        };
        /**
         * OptimizationRunStanding
         * @description The progress of a run.
         */
        OptimizationRunStanding: {
            /** @description Of a failed run: what is wrong and what to change. */
            error_message: string | null;
            /**
             * Format: uuid
             * @description Identifier of the run.
             */
            id: string;
            /** @description Progress of the run; it never falls. */
            progress_pct: number;
            /**
             * @description State of the run.
             * @enum {string}
             */
            status: "pending" | "running" | "completed" | "failed" | "cancelled";
        };
        /**
         * Options
         * @description The option chain of the stock in figures.
         */
        Options: {
            /** @description Strategy with the best viability score; null when none reaches 50. */
            best_options_strategy?: string | null;
            /** @description Open interest of the whole chain, contracts; null unless nine tenths of its calls and of its puts state it. */
            chain_total_oi?: number | null;
            /** @description Volume of the whole chain in the session in which it was taken, contracts; null unless that of calls and of puts is known. */
            chain_volume_1d?: number | null;
            /** @description Share of the last 252 days with IV below today, versus the 52-week range. */
            iv_percentile?: number | null;
            /** @description (IV - low52) / (high52 - low52) * 100 of the 30-day at-the-money IV. */
            iv_rank?: number | null;
            /** @description Put IV premium over call IV, 25 delta at 30 days. */
            iv_skew?: number | null;
            /** @description How far put/call volume, skew, side of the gamma flip and pricing edge lean to one side together: 0 none, 100 all of them fully. */
            options_confluence_score?: number | null;
            /** @description Binomial value against market mid for puts; 0-10 intent. */
            pricing_edge_bear?: number | null;
            /** @description Binomial value against market mid for calls; 0-10 intent. */
            pricing_edge_bull?: number | null;
            /** @description Put volume / call volume of the session in which the chain was taken; null unless both are known. */
            put_call_ratio?: number | null;
            /**
             * Format: date-time
             * @description When the chain was taken (SLA under 60 seconds).
             */
            refresh_timestamp?: string | null;
            /** @description Age of the chain, sessions: 0 of the trade date, 1 of the session before; null without a chain. */
            sessions_old?: number | null;
            /** @description JSON-encoded per-strategy viability scores: by strategy its score, 0 to 100, and the reasons for it. */
            strategy_scores_json?: string | null;
            /** @description Loss of an at-the-money 30-day premium over 15 days at a price that stands still, by the term structure of the chain, percent of premium. */
            theta_drag_15d?: number | null;
            /**
             * @description True when contracts with at least 8 days to live that traded twice their open interest make up a fifth of the volume of that life.
             * @default false
             */
            unusual_activity?: boolean;
        };
        /**
         * Overfitting
         * @description Whether chance may explain the best cell.
         */
        Overfitting: {
            /** @description Of the best cell. */
            deflated_sharpe_ratio: number | null;
            /** @description Sharpe ratio that the best of so many worthless cells shows. */
            expected_max_sharpe: number | null;
            /** @description Halvings that were tried. */
            halvings: number;
            /** @description Median Sharpe ratio of the cells around the best one over its own. */
            plateau: number | null;
            /** @description Share of halvings in which it lost on the other half. */
            probability_of_loss: number | null;
            /** @description Share of halvings in which the best cell of one half came out in the lower half on the other. */
            probability_of_overfitting: number | null;
            /** @description Cells that were tried. */
            trials: number;
            /**
             * @description In one word.
             * @enum {string}
             */
            verdict: "robust" | "doubtful" | "overfit" | "unprofitable" | "inconclusive";
        };
        /**
         * Ownership
         * @description Transactions that insiders reported on Form 4.
         */
        Ownership: {
            /** @description Shares acquired by insiders. */
            insider_acquired?: number | null;
            /** @description Shares disposed of by insiders. */
            insider_disposed?: number | null;
            /** @description Open-market purchases by insiders. */
            insider_purchases?: number | null;
            /** @description Open-market sales by insiders. */
            insider_sales?: number | null;
            /**
             * @description What insiders do on balance.
             * @enum {string|null}
             */
            insider_sentiment?: "buying" | "selling" | "neutral" | null;
        };
        /**
         * ParameterSet
         * @description A cell of the grid.
         */
        ParameterSet: {
            /** @description Stop, in multiples of the daily ATR. */
            stop_atr: number;
            /** @description Target, in multiples of the daily ATR. */
            target_atr: number;
        };
        /**
         * PassStatus
         * @description How far derivation has come.
         */
        PassStatus: {
            /**
             * Format: date-time
             * @description When the newest stock-day of that date was derived, by the clock of the machine; null where that was after `as_of`.
             */
            derived_at: string | null;
            /**
             * Format: date
             * @description Newest trade date whose market is derived.
             */
            newest_market: string | null;
            /**
             * Format: date
             * @description Newest month for which peers are measured, by its first date.
             */
            newest_peers: string | null;
            /**
             * Format: date
             * @description Newest trade date with a derived stock-day.
             */
            newest_stock_day: string | null;
            /** @description Stock-days of that date. */
            stock_days: number;
            /** @description Symbols with new data of ended sessions that a pass has yet to derive. */
            waiting_symbols: number;
        };
        /**
         * Pattern
         * @description A technical pattern as it stands; once confirmed it is never taken back.
         */
        Pattern: {
            /** @description How well it fits the textbook, 0-1; not a chance of profit. */
            confidence: number;
            /**
             * Format: date-time
             * @description Close that confirmed it.
             */
            confirmed_at: string | null;
            counter_line: components["schemas"]["PatternLine"] | null;
            /** @description The other boundary of a pattern between two lines, USD. */
            counter_trigger: number | null;
            /**
             * @description Side that it speaks for; two-way patterns are neutral while they form.
             * @enum {string}
             */
            direction: "bullish" | "bearish" | "neutral";
            /**
             * Format: date-time
             * @description Close at which it failed.
             */
            failed_at: string | null;
            /**
             * @description invalidated: closed beyond the invalidation price; expired: not triggered in its time.
             * @enum {string|null}
             */
            failure: "invalidated" | "expired" | null;
            /**
             * @description chart: drawn over swings; candlestick: of one to three sessions.
             * @enum {string}
             */
            family: "chart" | "candlestick";
            /**
             * Format: date-time
             * @description Close that completed the reading.
             */
            first_seen_at: string | null;
            /** @description What the measured move measures, USD. */
            height: number | null;
            /** @description A close beyond it says that the reading was wrong, USD. */
            invalidation_price: number | null;
            /** @description The swings that it stands on, oldest first. */
            pivots: components["schemas"]["PatternPivot"][];
            record?: components["schemas"]["RecordBeside"] | null;
            /**
             * @description forming: waits for a close beyond the trigger.
             * @enum {string}
             */
            status: "forming" | "confirmed" | "failed";
            /** @description Where the swing behind the trigger lies, USD. */
            stop: number | null;
            /** @description Measured move, USD. */
            target: number | null;
            /**
             * Format: date-time
             * @description Close of the first session whose range touched the target.
             */
            target_reached_at: string | null;
            /**
             * @description Bars that it is drawn on.
             * @enum {string}
             */
            timeframe: "1d";
            /** @description Neckline or boundary whose break by a close confirms it, USD; frozen once confirmed. */
            trigger: number | null;
            trigger_line: components["schemas"]["PatternLine"] | null;
            /**
             * @description Name of the pattern.
             * @enum {string}
             */
            type: "double_top" | "double_bottom" | "triple_top" | "triple_bottom" | "head_and_shoulders" | "inverse_head_and_shoulders" | "ascending_triangle" | "descending_triangle" | "symmetrical_triangle" | "rising_wedge" | "falling_wedge" | "bull_flag" | "bear_flag" | "bull_pennant" | "bear_pennant" | "rectangle" | "cup_and_handle" | "volatility_contraction" | "bullish_engulfing" | "bearish_engulfing" | "hammer" | "hanging_man" | "inverted_hammer" | "shooting_star" | "doji" | "dragonfly_doji" | "gravestone_doji" | "long_legged_doji" | "morning_star" | "evening_star" | "morning_doji_star" | "evening_doji_star" | "bullish_harami" | "bearish_harami" | "bullish_harami_cross" | "bearish_harami_cross" | "piercing_line" | "dark_cloud_cover" | "three_white_soldiers" | "three_black_crows" | "bullish_marubozu" | "bearish_marubozu" | "spinning_top";
        };
        /**
         * PatternLine
         * @description A straight line on the chart through two points; it goes on beyond both.
         */
        PatternLine: {
            /**
             * Format: date
             * @description Session of the first point.
             */
            from_date: string;
            /** @description Price of the first point, USD. */
            from_price: number;
            /**
             * Format: date
             * @description Session of the second point.
             */
            to_date: string;
            /** @description Price of the second point, USD. */
            to_price: number;
        };
        /**
         * PatternPivot
         * @description A swing point of the pattern.
         */
        PatternPivot: {
            /**
             * Format: date-time
             * @description Close from which the swing was known to be one.
             */
            confirmed_at: string | null;
            /**
             * Format: date
             * @description Session of the swing.
             */
            date: string;
            /**
             * @description Which end it is.
             * @enum {string}
             */
            kind: "high" | "low";
            /** @description High or low of that session, USD. */
            price: number;
        };
        /**
         * Peer
         * @description A direct peer of a stock.
         */
        Peer: {
            /** @description Part of the locally implied return, percent. */
            contribution_pct: number | null;
            /** @description Shrunk correlation of daily returns beyond the market. */
            correlation: number;
            /** @description Why the two are peers. */
            reasons: ("correlation" | "sector" | "industry" | "theme")[];
            /** @description Return of the peer on the trade date, percent. */
            return_pct: number | null;
            /** @description Ticker symbol of the peer. */
            symbol: string;
            /** @description Share of the weight of all direct peers. */
            weight: number;
        };
        /**
         * PeerContribution
         * @description A direct peer and its part of the implied return.
         */
        PeerContribution: {
            /** @description Part of the locally implied return, percent. */
            contribution_pct: number | null;
            /** @description Shrunk correlation of daily returns beyond the market. */
            correlation: number;
            /** @description Why the two are peers. */
            reasons: ("correlation" | "sector" | "industry" | "theme")[];
            /** @description Return of the peer on the trade date, percent. */
            return_pct: number | null;
            /** @description Ticker symbol of the peer. */
            symbol: string;
            /** @description Share of the weight of all direct peers. */
            weight: number;
        };
        /**
         * PeerDivergenceV1
         * @description Return of the stock against the diffused return of its peers at three scales, in deviations of its own history. Of completed sessions; null while a session runs.
         */
        PeerDivergenceV1: {
            /** @description Divergence from the neighbourhood within eight steps, in deviations. */
            broad: number | null;
            /** @description Weighted divergence over the scales that have peers, in deviations. */
            composite: number | null;
            /**
             * Format: date-time
             * @description The close of the trade date, which the divergence speaks for.
             */
            computed_at: string;
            /**
             * @description True when one peer, or peers with their own event, dominate the mean.
             * @default false
             */
            contaminated: boolean;
            /**
             * @description Who dominates the mean of the direct peers.
             * @enum {string}
             */
            contamination: "none" | "one_peer" | "peer_events";
            /** @description The direct peers that contributed most, largest first. */
            contributors: components["schemas"]["PeerContribution"][];
            /** @description The same within eight steps, percent. */
            deviation_broad_pct: number | null;
            /** @description One deviation of the stock's ordinary local divergence, percent. */
            deviation_local_pct: number | null;
            /** @description The same within three steps, percent. */
            deviation_medium_pct: number | null;
            /** @description Version of the formulas. */
            formula_version: string;
            /** @description The same within eight steps, percent. */
            implied_broad_pct: number | null;
            /** @description Return that the direct peers imply, percent. */
            implied_local_pct: number | null;
            /** @description The same within three steps, percent. */
            implied_medium_pct: number | null;
            /** @description Divergence from the direct peers, in deviations of its own history. */
            local: number | null;
            /** @description Divergence from the peers within three steps, in deviations. */
            medium: number | null;
            /** @description Peers with a return and a thousandth of the walk or more within eight steps. */
            peers_broad: number;
            /** @description Direct peers with a return. */
            peers_local: number;
            /** @description Peers with a return and a thousandth of the walk or more within three steps. */
            peers_medium: number;
            /** @description Own return on the trade date, percent. */
            return_pct: number;
            /**
             * @description Bullish from a composite of 2 on: stronger than its peers; bearish from -2 on: weaker.
             * @enum {string|null}
             */
            signal: "bullish_divergence" | "bearish_divergence" | "neutral" | null;
            /**
             * Format: date-time
             * @description The instant that the peer topology speaks for: the close of its last session.
             */
            topology_built_at: string | null;
            /** @description The scales that had peers, e.g. local_medium_broad. */
            weight_config: string | null;
            /** @description First session that the peers follow from. */
            window_from: string;
            /** @description Last session that the peers follow from; the last before the month of the trade date. */
            window_to: string;
        };
        /**
         * Peers
         * @description The peers of a stock and how its return compared with theirs on a completed session.
         */
        Peers: {
            /** @description Divergence from the neighbourhood within eight steps, in deviations. */
            broad: number | null;
            /** @description Weighted divergence over the scales that had peers, in deviations. */
            composite: number;
            /**
             * @description True when one peer, or peers with their own event, dominate the mean.
             * @default false
             */
            contaminated: boolean;
            /**
             * @description Who dominates the mean of the direct peers.
             * @enum {string}
             */
            contamination: "none" | "one_peer" | "peer_events";
            /** @description The same within eight steps, percent. */
            deviation_broad_pct: number | null;
            /** @description One deviation of the stock's ordinary local divergence, percent. */
            deviation_local_pct: number | null;
            /** @description The same within three steps, percent. */
            deviation_medium_pct: number | null;
            /** @description The same within eight steps, percent. */
            implied_broad_pct: number | null;
            /** @description Return that the direct peers imply, percent. */
            implied_local_pct: number | null;
            /** @description The same within three steps, percent. */
            implied_medium_pct: number | null;
            /** @description Divergence from the direct peers, in deviations of its own history. */
            local: number | null;
            /** @description Divergence from the peers within three steps, in deviations. */
            medium: number | null;
            /** @description Direct peers, heaviest first, at most 20. */
            peers: components["schemas"]["Peer"][];
            /** @description Peers with a return and a thousandth of the walk or more within eight steps. */
            peers_broad: number;
            /** @description Direct peers with a return. */
            peers_local: number;
            /** @description Peers with a return and a thousandth of the walk or more within three steps. */
            peers_medium: number;
            /** @description Own return on the trade date, percent. */
            return_pct: number;
            /**
             * @description Bullish from a composite of 2 on, bearish from -2 on.
             * @enum {string}
             */
            signal: "bullish_divergence" | "bearish_divergence" | "neutral";
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /** @description Ticker symbol. */
            symbol: string;
            /** @description The session whose returns are compared. */
            trade_date: string;
            /** @description The scales that had peers. */
            weight_config: string;
            /** @description First session that the peers follow from. */
            window_from: string;
            /** @description Last session that the peers follow from; the last before the month of the trade date. */
            window_to: string;
        };
        /**
         * PriceEvent
         * @description Something that price or volume did in one session.
         */
        PriceEvent: {
            /**
             * Format: date
             * @description Session of the event.
             */
            date: string;
            /**
             * @description Side that it speaks for.
             * @enum {string}
             */
            direction: "bullish" | "bearish" | "neutral";
            /** @description Gaps: whether price has been back at the prior close since. */
            filled: boolean | null;
            /**
             * Format: date
             * @description Gaps: session in which it first was.
             */
            filled_date: string | null;
            /**
             * Format: date-time
             * @description Instant that decided it: the open of the session for a gap, else its close.
             */
            known_at: string | null;
            /** @description What was left behind: prior close (gap), extreme (breakout), the slower average (crossover), USD; null for volume. */
            level: number | null;
            /** @description The open for a gap, else the close, USD. */
            price: number;
            /** @description The same distance in ATR(14) of the session before, signed. */
            size_atr: number | null;
            /** @description Distance of price from level (of two averages for their cross), percent, signed. */
            size_pct: number | null;
            /**
             * @description Kind of event.
             * @enum {string}
             */
            type: "gap_up" | "gap_down" | "breakout_20d_high" | "breakout_55d_high" | "breakout_252d_high" | "breakdown_20d_low" | "breakdown_55d_low" | "breakdown_252d_low" | "close_above_sma_20" | "close_above_sma_50" | "close_above_sma_200" | "close_below_sma_20" | "close_below_sma_50" | "close_below_sma_200" | "golden_cross" | "death_cross" | "ema_9_above_ema_20" | "ema_9_below_ema_20" | "volume_surge" | "volume_spike" | "volume_dry_up" | "buying_climax" | "selling_climax";
            /** @description The session's volume over the mean of the 20 before; null while the session runs. */
            volume_ratio: number | null;
        };
        /**
         * PulseV5
         * @description Real-time intraday conviction with the ledger of each side.
         */
        PulseV5: {
            /** @description Equals pulse_bear. */
            bear: number | null;
            /** @description Lines whose contributions sum to bear. */
            bear_ledger: components["schemas"]["ScoreLedgerLine"][];
            /**
             * @description Equals pulse_bias.
             * @enum {string|null}
             */
            bias: "STRONG_LONG" | "MOD_LONG" | "NEUTRAL" | "MOD_SHORT" | "STRONG_SHORT" | null;
            /** @description Equals pulse_bull. */
            bull: number | null;
            /** @description Lines whose contributions sum to bull. */
            bull_ledger: components["schemas"]["ScoreLedgerLine"][];
            /**
             * Format: date-time
             * @description Equals pulse_computed_at.
             */
            computed_at: string;
            /** @description Version of the formula. */
            formula_version: string;
            /** @description Equals pulse_net. */
            net: number | null;
            /** @description Share of the total weight whose inputs are present; below 0.5 the scores are null. */
            weight_available: number;
        };
        /**
         * Range3D
         * @description Range of the three completed sessions before the trade date.
         */
        Range3D: {
            /**
             * @description Broke the 3-day high today.
             * @default false
             */
            break_high?: boolean;
            /**
             * @description Broke the 3-day low today.
             * @default false
             */
            break_low?: boolean;
            /** @description Highest high of the three sessions, USD. */
            high: number;
            /** @description Lowest low of the three sessions, USD. */
            low: number;
        };
        /**
         * RecordBeside
         * @description How often claims of the kind came true, and how often by chance.
         */
        RecordBeside: {
            /** @description Share of the controls that came true. */
            chance: number | null;
            /** @description Trade dates with such a claim. */
            dates: number;
            /** @description Upper limit of its 95 % interval over dates. */
            high: number | null;
            /** @description Names the record: `/api/graph/v1/records` has the whole of it. */
            id: string;
            /** @description Lower limit of its 95 % interval over dates. */
            low: number | null;
            /** @description Claims that came true or did not. */
            n: number;
            /** @description Share that came true; null with too few. */
            rate: number | null;
            /** @description The record in a sentence. */
            says: string;
            /**
             * @description True where some of the data was simulated.
             * @default false
             */
            simulated: boolean;
            /** @description Claims that came true. */
            true: number;
            /**
             * @description Whether an edge is shown.
             * @enum {string}
             */
            verdict: "edge_shown" | "no_edge_shown" | "worse_than_chance" | "too_few" | "explored";
        };
        /**
         * RecordBuild
         * @description The count of what became of past claims.
         */
        RecordBuild: {
            /** @description Share of the sessions that is counted; null before the first, and in the other states. */
            share_done: number | null;
            /**
             * @description Whether past sessions are being counted, or what the last count of this process came to.
             * @enum {string}
             */
            state: "idle" | "building" | "built" | "failed";
        };
        /**
         * RecordedLevel
         * @description A level seen from the last price; distances are level minus price.
         */
        RecordedLevel: {
            /**
             * Format: date-time
             * @description End of the bar that broke it, else of the last one by which it held.
             */
            decided_at: string | null;
            /** @description Distance, USD; negative for support. */
            distance: number;
            /** @description Distance in daily_atr 14; null without one. */
            distance_atr: number | null;
            /** @description Distance, percent of the last price. */
            distance_pct: number;
            /**
             * @description Where the level comes from; levels cut from the same prints are one family.
             * @enum {string}
             */
            family: "prior_day" | "prior_week" | "prior_month" | "pivot" | "opening" | "overnight" | "vwap" | "prior_profile" | "developing_profile" | "recent_range" | "moving_average" | "pattern" | "options" | "round_number";
            /** @description How many times it held. */
            holds: number | null;
            /** @description Name of the level, as in the block that it comes from. */
            name: string;
            /** @description Price of the level, USD. */
            price: number;
            record?: components["schemas"]["RecordBeside"] | null;
            /**
             * @description support at or below the last price, resistance above.
             * @enum {string}
             */
            side: "support" | "resistance";
            /**
             * @description What became of it in the regular session so far, by its bars: untouched; touched (exactly, or jumped over) and not decided; held (price went 0.25 ATR back, or closed the session on its side); broken (price went 0.25 ATR beyond, or closed the session beyond), which it stays. Opening ranges from the end of their window on; VWAP and the developing profile where they were before each bar, a moving average where it was after the first minute. Null before the first bar, while a range forms, for a level that is of the next session or without a path (developing_hvn), and where the session is not seen whole.
             * @enum {string|null}
             */
            state: "untouched" | "touched" | "held" | "broken" | null;
            /** @description 1 - product of (1 - weight) over the families within 0.25 ATR of the level. */
            strength: number;
            /**
             * Format: date-time
             * @description End of the first bar that reached it.
             */
            touched_at: string | null;
        };
        /**
         * RecordReliability
         * @description A score from 0 to 100 read as the probability that a stock beats the median of its date (bearish_confluence: falls behind it), against how many did. Null of other scores, with fewer stock-dates, and where some symbols alone are counted.
         */
        RecordReliability: {
            /** @description Ascending; those without a stock are left out. */
            bins: components["schemas"]["ReliabilityBin"][];
            /** @description What it would then lose against one probability for all; 0 where the score tells nothing. */
            discrimination: number;
            /** @description What the Brier score would lose if each score said what came; 0 of a probability. */
            miscalibration: number;
            /** @description Stock-dates with a score and a later return; 200 at least. */
            n: number;
            /** @description The Brier score of one probability for all; that of the score is this, plus miscalibration, less discrimination. */
            uncertainty: number;
        };
        /**
         * Records
         * @description Records of claims.
         */
        Records: {
            /**
             * Format: date-time
             * @description Claims that ended later do not count.
             */
            as_of: string;
            /** @description Of each kind with tested records the best; none of what the caller chose. */
            best: components["schemas"]["BestRecord"][];
            /** @description By kind, then by key. */
            records: components["schemas"]["ClaimRecord"][];
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description Market-data feed label of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
        };
        /**
         * RecordSince
         * @description The part of a record since its rule was released.
         */
        RecordSince: {
            /** @description Claims of which one bar went both ways; they count as false. */
            ambiguous: number;
            /** @description Share of the controls that came true; null with too few, and then no rate either. */
            chance: number | null;
            /** @description What the claims are compared with: the same rule where nothing was claimed. */
            controls: number;
            /** @description Trade dates with such a claim. */
            dates: number;
            /** @description Claims that a hole of five minutes in the bars left undecided. */
            gap: number;
            /** @description Claims of stocks that left meanwhile; their last price decided where it could. */
            gone: number;
            /** @description Upper limit of its 95 % interval over dates. */
            high: number | null;
            /** @description Lower limit of its 95 % interval over dates. */
            low: number | null;
            /** @description Claims that came true or did not. */
            n: number;
            /** @description Share that came true; null with too few. */
            rate: number | null;
            /** @description Claims that came true. */
            true: number;
            /** @description Claims that were open at the close, or could not be judged. */
            undecided: number;
        };
        /**
         * RefusedFile
         * @description Why a file is not read.
         */
        RefusedFile: {
            /** @description What was seen, and what decides. */
            message: string;
            /**
             * @description Reason.
             * @enum {string}
             */
            reason: "not_a_number" | "not_finite" | "price_not_positive" | "volume_negative" | "out_of_bounds" | "high_below_low" | "price_outside_range" | "bad_time" | "out_of_order" | "duplicate" | "outside_session" | "not_final" | "wrong_columns" | "unlisted" | "not_in_plan" | "bad_symbol" | "foreign_listing" | "suspicious" | "cancelled" | "no_shares" | "crossed_quote" | "bad_action" | "broken_archive" | "too_large" | "unknown_format" | "ambiguous" | "unknown_kind" | "unknown_field" | "missing_value" | "bad_word" | "hidden_character" | "negative_amount" | "out_of_range" | "known_too_early" | "expired_contract" | "adjusted_contract" | "untraded" | "repaired" | "not_read";
        };
        /**
         * RefusedLiveRows
         * @description Rows that were refused since the process started, by reason.
         */
        RefusedLiveRows: {
            /** @description The first of them; null until the caller may see its instant, and for a grant of some symbols. */
            first: string | null;
            /** @description The reason in words. */
            meaning: string;
            /** @description Reason, as imports name it. */
            reason: string;
            /** @description Rows. */
            rows: number;
        };
        /**
         * RefusedRows
         * @description Rows or files of one reason.
         */
        RefusedRows: {
            /** @description The first, as it stood. */
            first: string;
            /** @description The reason in words. */
            meaning: string;
            /**
             * @description Reason.
             * @enum {string}
             */
            reason: "not_a_number" | "not_finite" | "price_not_positive" | "volume_negative" | "out_of_bounds" | "high_below_low" | "price_outside_range" | "bad_time" | "out_of_order" | "duplicate" | "outside_session" | "not_final" | "wrong_columns" | "unlisted" | "not_in_plan" | "bad_symbol" | "foreign_listing" | "suspicious" | "cancelled" | "no_shares" | "crossed_quote" | "bad_action" | "broken_archive" | "too_large" | "unknown_format" | "ambiguous" | "unknown_kind" | "unknown_field" | "missing_value" | "bad_word" | "hidden_character" | "negative_amount" | "out_of_range" | "known_too_early" | "expired_contract" | "adjusted_contract" | "untraded" | "repaired" | "not_read";
            /** @description How many. */
            rows: number;
            /** @description File and line of the first. */
            where: string;
        };
        /**
         * RegimeV5
         * @description The regime that the market and the stock are in, with the rules that fired.
         */
        RegimeV5: {
            /** @description Share of stocks above their SMA50, 0-1. */
            breadth: number | null;
            /**
             * Format: date-time
             * @description When the regime was computed.
             */
            computed_at: string;
            /** @description Share of the fired rules that support the regime, 0-1. */
            confidence: number | null;
            /** @description Version of the rules. */
            formula_version: string;
            /**
             * @description Trend of the index on daily bars.
             * @enum {string|null}
             */
            index_trend: "up" | "down" | "sideways" | null;
            /**
             * @description The regime that the stock trades in.
             * @enum {string|null}
             */
            regime: "trend_up" | "trend_down" | "range" | "volatile" | "transition" | null;
            /** @description Names of the rules that fired. */
            rules_fired: string[];
            /**
             * @description Trend of the stock on daily bars.
             * @enum {string|null}
             */
            trend_regime: "up" | "down" | "sideways" | null;
            /** @description VIX, index points. */
            vix: number | null;
            /** @description Share of the last 252 sessions with a lower VIX, percent. */
            vix_percentile: number | null;
            /**
             * @description Regime of the VIX.
             * @enum {string|null}
             */
            vix_regime: "COMPLACENT" | "NORMAL" | "ELEVATED" | "EXTREME_FEAR" | null;
            /**
             * @description Band of ATR(14) over close against the 252 sessions before.
             * @enum {string|null}
             */
            volatility_regime: "low" | "normal" | "high" | "extreme" | null;
        };
        /**
         * ReliabilityBin
         * @description Scores within five points.
         */
        ReliabilityBin: {
            /** @description Mean score as a probability. */
            forecast: number;
            /** @description Stock-dates. */
            n: number;
            /** @description Share that beat the median. */
            observed: number;
        };
        /**
         * ResultsDue
         * @description Companies with results in a stretch of sessions.
         */
        ResultsDue: {
            /** @description Companies. */
            count: number;
            /**
             * Format: date
             * @description First date.
             */
            from: string;
            /** @description The largest, by market capitalisation; at most 10. */
            largest: components["schemas"]["ScheduledResults"][];
            /**
             * Format: date
             * @description Last date.
             */
            to: string;
        };
        /**
         * RuleFigure
         * @description A number that a rule used.
         */
        RuleFigure: {
            /** @description Its path in this answer. */
            field: string;
            /** @description Its unit. */
            unit: string;
            /** @description The number. */
            value: number;
        };
        /**
         * ScheduledResults
         * @description Results of a company.
         */
        ScheduledResults: {
            /**
             * Format: date
             * @description Trade date of their announcement.
             */
            date: string;
            /** @description Market capitalisation as it was known, USD. */
            market_cap: number | null;
            /**
             * @description How sure the date is.
             * @enum {string}
             */
            status: "projected" | "confirmed" | "reported";
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * @description When on that date.
             * @enum {string}
             */
            time: "pre_market" | "post_market" | "during_market" | "unknown";
        };
        /**
         * ScoreLedgerLine
         * @description One component of a score and what it contributed.
         */
        ScoreLedgerLine: {
            /** @description Name of the component. */
            component: string;
            /** @description Points contributed to the total; the lines of a ledger sum to its score. */
            contribution: number;
            /** @description The named inputs that the component was computed from; the note names those that are missing. */
            inputs: {
                [key: string]: number | string | boolean | null;
            };
            /** @description Highest score the component can reach. */
            maximum: number;
            /** @description Why the component has this score, or which input is missing. */
            note: string | null;
            /** @description Component score; null when an input is missing. */
            score: number | null;
            /**
             * @description missing: an input was unavailable, the component was dropped.
             * @enum {string}
             */
            status: "scored" | "missing";
            /** @description Weight after rescaling over the components that are present; 0 when dropped. */
            weight: number;
        };
        /**
         * ScreenAnswer
         * @description A page of the stocks that fulfil a screen.
         */
        ScreenAnswer: {
            as_of: components["schemas"]["ScreenAsOf"];
            /**
             * Format: date
             * @description The trade date.
             */
            date: string;
            /** @description Nearest first; on the first page alone. */
            near_misses: components["schemas"]["ScreenNearMiss"][];
            /** @description Leads to the next page; null on the last. */
            next_cursor: string | null;
            /** @description In the requested order. */
            rows: components["schemas"]["ScreenRow"][];
            /** @description Sessions that the market has completed since the session of this answer; 0 with `date` or `as_of`, which ask for nothing newer. */
            sessions_behind: number;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description Market-data feed label of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /** @description Stocks that pass, on all pages. */
            total: number;
            /** @description Screened stocks. */
            universe: number;
        };
        /**
         * ScreenAsOf
         * @description Instants of the screened stocks.
         */
        ScreenAsOf: {
            /**
             * Format: date-time
             * @description Of the newest.
             */
            newest: string | null;
            /**
             * Format: date-time
             * @description Of the oldest; null where there is none.
             */
            oldest: string | null;
        };
        /**
         * ScreenField
         * @description A field of StockResult that holds a single value.
         */
        ScreenField: {
            /** @description What it says. */
            description: string;
            /** @description The `include` word that shows it in the stock detail; null where it always is. */
            include: string | null;
            /** @description Its operators. */
            operators: string[];
            /** @description Its name, with dots between the levels. */
            path: string;
            /**
             * @description What its values are.
             * @enum {string}
             */
            type: "number" | "integer" | "boolean" | "text" | "date" | "instant";
            /** @description What its numbers count, `ratio` for a plain one; null for what is no number. */
            unit: string | null;
            /** @description Every text that it can be; null where that is open. */
            words: string[] | null;
        };
        /**
         * ScreenFields
         * @description Every field that a screen may use.
         */
        ScreenFields: {
            /** @description In the order of the stock detail. */
            fields: components["schemas"]["ScreenField"][];
        };
        /**
         * ScreenNearMiss
         * @description A stock that would pass but for one condition.
         */
        ScreenNearMiss: {
            /** @description The condition as it was written. */
            condition: {
                [key: string]: unknown;
            };
            /** @description How far the value is from passing, in units of the field (days of a date, milliseconds of an instant); null where it is not known. */
            distance: number | null;
            /** @description Path of the condition in the request, e.g. `filter.all.2`. */
            failed: string;
            /** @description Ticker symbol. */
            symbol: string;
            /** @description What the stock has of the field; null where it has nothing, or where a group failed. */
            value: number | string | boolean | null;
        };
        /** ScreenRequest */
        ScreenRequest: {
            /** @description Numbers by name that follow from fields, each an expression; elsewhere they are called `computed.NAME`. */
            computed?: {
                [key: string]: unknown;
            } | null;
            /** @description `next_cursor` of the page before, sent with the same screen. */
            cursor?: string;
            /**
             * Format: date
             * @description Trade date, YYYY-MM-DD. Default: the newest that is whole and that the caller may see.
             */
            date?: string;
            /** @description A condition, `{field, op, value}` or `{field, op, other}`, or a group of them: `{all: […]}`, `{any: […]}`, `{not: …}`. A condition on an absent value selects nothing, nor does its negation. Without a filter every stock passes. */
            filter?: {
                [key: string]: unknown;
            } | null;
            /**
             * @description Stocks of a page.
             * @default 50
             */
            limit?: number;
            /**
             * @description Which market: the real one, or the simulated one of the demo; the two share nothing. Default: the real one, unless there is nothing but the demo. With a symbol, that of the symbol.
             * @enum {string}
             */
            market?: "real" | "simulated";
            /** @description Number of stocks that miss one condition to return as well, nearest first. */
            near_misses?: number | null;
            /** @description What is answered of each stock beside its symbol. Default: symbol, company_name, price.day_price, price.change_pct, rel_volume, bullish_confluence, bearish_confluence, net_confluence, directional_bias. */
            select?: unknown[] | null;
            /** @description Keys, the first one first; equal stocks come in the order of their symbols, absent values last. */
            sort?: unknown[] | null;
        };
        /**
         * ScreenRow
         * @description The symbol, and every selected value under the name that the request gave it.
         */
        ScreenRow: {
            /** @description Ticker symbol. */
            symbol: string;
        } & {
            [key: string]: number | string | boolean | null;
        };
        /**
         * SeenPart
         * @description What is seen of a regular session that is over, where its bars begin late or end early and no daily bar was reported: `partial` of the trade date, `previous_partial` of the session before, whose sum previous_close, pivots and prior-day levels are of; a session whose feed stopped has none, and they are of an earlier one (`levels.prior_date`). A halt, a first listing and missing data look alike.
         */
        SeenPart: {
            /**
             * Format: date-time
             * @description Start of the first bar.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the last bar.
             */
            to: string;
        };
        /**
         * SeriesCoverage
         * @description What the tape has of a series in ended sessions.
         */
        SeriesCoverage: {
            /**
             * Format: date
             * @description Trade date of the first row.
             */
            first_session: string;
            /**
             * Format: date
             * @description Trade date of the last row.
             */
            last_session: string;
            /** @description Rows; null for daily ones at a past instant where a file goes on beyond it. */
            rows: number | null;
            /** @description Name of the series, e.g. `bars-1m`. */
            series: string;
            /** @description Symbols that have rows. */
            symbols: number;
        };
        /**
         * SessionClock
         * @description The phase of the trading day.
         */
        SessionClock: {
            /**
             * Format: date-time
             * @description The instant that the clock shows.
             */
            at: string;
            /** @description Why that day has no session; null where it has one. */
            closed_for: string | null;
            /** @description True when regular trading of the trade date ends before 16:00. */
            early_close: boolean;
            next_bell: components["schemas"]["NextBell"] | null;
            next_departure: components["schemas"]["NextDeparture"] | null;
            /**
             * Format: date
             * @description The session after the trade date.
             */
            next_session: string | null;
            /**
             * @description Phase of trading at that instant.
             * @enum {string}
             */
            phase: "closed" | "pre_market" | "regular" | "after_hours";
            /** @description The phases of the trade date. */
            phases: components["schemas"]["ClockPhase"][];
            /**
             * Format: date
             * @description The session before the trade date.
             */
            previous_session: string | null;
            /**
             * Format: date
             * @description The session that this answer is of.
             */
            trade_date: string;
        };
        /**
         * SessionOhlc
         * @description One part of the trading day, USD and shares.
         */
        SessionOhlc: {
            /** @description Last price so far, USD. */
            close: number;
            /**
             * @description True once this part of the day has ended and all of it is known.
             * @default false
             */
            final: boolean;
            /** @description Highest price, USD. */
            high: number;
            /** @description Lowest price, USD. */
            low: number;
            /** @description First price, USD. */
            open: number;
            /** @description Shares traded; null where the bars are of one exchange alone (`partial_feed`). */
            volume: number | null;
        };
        /**
         * SessionOrderFlow
         * @description How much of the volume since 09:30 has a side, and what determined the side. Shares; quotes and prints as recorded.
         */
        SessionOrderFlow: {
            /** @description Shares in block trades. */
            block_volume: number;
            /** @description Shares of buyers. */
            buy_volume: number;
            /** @description Shares whose side the quote determined. */
            by_quote: number;
            /** @description Shares whose side the tick rule determined. */
            by_tick: number;
            /** @description Share of the volume that has a side, percent. */
            classified_pct: number | null;
            /** @description Shares that printed while the best quote was locked or crossed. */
            locked_volume: number;
            /**
             * @description lee_ready: by the quote before the print, at its midpoint by the tick rule; tick_rule: no quotes were there.
             * @enum {string}
             */
            method: "lee_ready" | "tick_rule";
            /** @description Share of the volume that printed at FINRA facilities, 0-1. */
            off_exchange_share: number | null;
            /** @description Shares of sellers. */
            sell_volume: number;
            /** @description Prints. */
            trades: number;
            /** @description Shares without a side: auctions, prints whose price is not of the moment (late, averaged, derived, contingent), and prints before the price first moved. */
            unclassified: number;
            /** @description Shares printed: bought, sold and unclassified. */
            volume: number;
            /** @description Volume-weighted average price of all prints, USD. */
            vwap: number | null;
        };
        /**
         * SessionPriceData
         * @description Prices of the trade date by part of the day, on the price basis of that date.
         */
        SessionPriceData: {
            after_hours: components["schemas"]["SessionOhlc"] | null;
            /** @description Bars of the trade date that are left out of every figure because their price cannot be the stock's: extended hours, and any hour of the date of a split. */
            bad_prints: number;
            /** @description day_price minus previous_close, USD; null for an incomplete session. */
            change: number | null;
            /** @description change over previous_close, percent. */
            change_pct: number | null;
            /** @description Price of the day, which every list and page shows: official_close once it is known, before it last_price, USD. A print after the close is in `extended`. */
            day_price: number | null;
            extended: components["schemas"]["ExtendedPrint"] | null;
            /** @description Open of the regular session minus previous_close, USD. */
            gap: number | null;
            /** @description gap over previous_close, percent. */
            gap_pct: number | null;
            /**
             * Format: date-time
             * @description Until when a regular session that is over is known: its feed stopped then, and no daily bar tells the rest. Null otherwise.
             */
            incomplete_after: string | null;
            /** @description Close of the regular session of the trade date, USD: of its daily bar, else of its last bar; null until the session is over, and where its feed stopped before. */
            official_close: number | null;
            order_flow: components["schemas"]["SessionOrderFlow"] | null;
            partial: components["schemas"]["SeenPart"] | null;
            /** @description Feed of one exchange alone that bars of the trade date are of, e.g. `alpaca-iex`: its prices traded there, high and low may lie inside the market's, and volume with all that needs it is null. Null where they are of the whole market. */
            partial_feed: string | null;
            pre_market: components["schemas"]["SessionOhlc"] | null;
            /** @description Close of the regular session before, adjusted for splits since, USD. */
            previous_close: number | null;
            previous_partial: components["schemas"]["SeenPart"] | null;
            regular: components["schemas"]["SessionOhlc"] | null;
            /**
             * Format: date
             * @description Trade date.
             */
            trade_date: string;
        };
        /**
         * SessionVolumeProfile
         * @description Volume by price of one regular session, USD and shares.
         */
        SessionVolumeProfile: {
            /** @description Lowest price of the lowest row, USD. */
            base_price: number;
            /**
             * @description True while the session runs and the profile may still change.
             * @default false
             */
            developing: boolean;
            /** @description Prices that the market accepted, ascending. */
            high_volume_nodes: components["schemas"]["VolumeNode"][];
            /** @description Prices that the market hurried through, ascending. */
            low_volume_nodes: components["schemas"]["VolumeNode"][];
            /**
             * @description How volume is put on rows: each bar's, evenly over the rows between its low and high.
             * @enum {string}
             */
            method: "bar_range_even";
            /** @description Point of control: middle of the row with most volume; of equals the one nearest the middle; USD. */
            poc: number;
            /** @description Height of a row, USD. */
            row_size: number;
            /** @description Volume of every row from the lowest price traded to the highest; row k begins k * row_size above base_price. */
            rows: number[];
            /** @description Volume of the session so far. */
            total_volume: number;
            /**
             * Format: date
             * @description Session.
             */
            trade_date: string;
            /** @description Upper edge of the value area, USD. */
            vah: number;
            /** @description Lower edge of the value area, USD. */
            val: number;
            /** @description Share of the volume inside the value area, percent; at least 70. */
            value_area_pct: number;
        };
        /**
         * SharedTouches
         * @description A family of levels at the same prices.
         */
        SharedTouches: {
            /** @description The other family. */
            key: string;
            /** @description Share of the touches that were touches of the other family too. */
            share: number;
        };
        /**
         * Status
         * @description How fresh and how complete the data is.
         */
        Status: {
            /**
             * Format: date-time
             * @description The newest instant of the caller.
             */
            as_of: string;
            /** @description How much older than the present the data of the caller is at least. */
            delay_minutes: number;
            /** @description Each kind of data that has a promise. */
            feeds: components["schemas"]["FeedStatus"][];
            passes: components["schemas"]["PassStatus"];
            /** @description Feed of the session that this process records; null while it records none. */
            running_feed: string | null;
            /** @description Each series that the tape has, by name. */
            series: components["schemas"]["SeriesCoverage"][];
            /**
             * @description Whether the tape has simulated data.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            versions: components["schemas"]["Versions"];
        };
        /**
         * StockResult
         * @description All that is known of a stock at an instant. Every field is present, or those that `fields` names, null when its value is unavailable; blocks of the `include` parameter are null unless requested.
         */
        StockResult: {
            /** @description 20-day average dollar volume. */
            adv20_usd?: number | null;
            /** @description 30-day average daily share volume; used for a liquidity hard gate of >= 500k. */
            adv30_shares?: number | null;
            /** @description 30-day average dollar volume. */
            adv30_usd?: number | null;
            /** @description Beta, fundamental and earnings sentiment gates all passed, as far as they are applicable (score_warnings names those that are not); null where none is. */
            all_quality_gates_passed?: boolean | null;
            analyst?: components["schemas"]["Analyst"] | null;
            /**
             * Format: date-time
             * @description The instant that an answer with `fields` speaks for; others lack it.
             */
            as_of?: string;
            /**
             * Format: date-time
             * @description End of the latest 1-minute bar (SLA under 5 minutes).
             */
            bar_1min_timestamp?: string | null;
            /**
             * Format: date-time
             * @description Latest daily bar: close of the last completed session, or while the session runs the end of the newest bar in it (SLA under 4 hours during market hours).
             */
            bar_daily_timestamp?: string | null;
            /** @description Canonical bearish score (v5). */
            bearish_confluence?: number | null;
            /** @description Intraday timing of a short entry, 0-100. */
            bearish_entry_score?: number | null;
            /**
             * @description EXCELLENT (>=85), GOOD (>=70), MODERATE (>=50), WEAK (>=25), POOR (<25), from bearish_confluence.
             * @enum {string|null}
             */
            bearish_tier?: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | null;
            /** @description VIX-aware: max beta 1.5 in EXTREME_FEAR, 2.0 in ELEVATED. */
            beta_gate_passed?: boolean | null;
            /** @description Why the beta gate passed, failed or was not judged. */
            beta_gate_reason?: string | null;
            /** @description Block trades today: prints of at least 10,000 shares or 200,000 USD. */
            block_trade_count?: number | null;
            /** @description Canonical bullish score (v5). */
            bullish_confluence?: number | null;
            /** @description Intraday timing of a long entry, 0-100. */
            bullish_entry_score?: number | null;
            /**
             * @description EXCELLENT (>=85), GOOD (>=70), MODERATE (>=50), WEAK (>=25), POOR (<25), from bullish_confluence.
             * @enum {string|null}
             */
            bullish_tier?: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | null;
            /** @description Buy over sell volume since 09:30, classified by Lee and Ready: by the quote, at its midpoint by the tick rule. */
            buy_sell_ratio?: number | null;
            /** @description Chief executive officer. */
            ceo?: string | null;
            /** @description What the company does. */
            company_description?: string | null;
            /** @description Company name. */
            company_name?: string | null;
            compression?: components["schemas"]["Compression"] | null;
            /** @description min(bull, bear). */
            conflict_min_v5?: number | null;
            confluence_components?: components["schemas"]["ConfluenceComponentBreakdown"] | null;
            /**
             * Format: date-time
             * @description When the scores were computed, for staleness detection.
             */
            confluence_computed_at?: string | null;
            /** @description Score v3: weighted volume, technical, day type, pattern, proximity; of the side for which it is higher. */
            confluence_score?: number | null;
            /**
             * @description EXCELLENT (>=90), GOOD (>=80), MODERATE (>=70), WEAK (>=60), POOR (<60), from confluence_score.
             * @enum {string|null}
             */
            confluence_tier?: "EXCELLENT" | "GOOD" | "MODERATE" | "WEAK" | "POOR" | null;
            confluence_v5?: components["schemas"]["ConfluenceV5"] | null;
            /** @description max(bull, bear). */
            conviction_max_v5?: number | null;
            conviction_v5?: components["schemas"]["ConvictionV5"] | null;
            /** @description True when both ends of the lookback have a score whose newest bar ended at most 15 minutes before. */
            conviction_v5_delta_valid?: boolean | null;
            /** @description True when the leading side changed within the lookback. */
            conviction_v5_direction_flip?: boolean | null;
            /** @description Minutes since the first score of the unbroken run of the side that leads now. */
            conviction_v5_direction_minutes?: number | null;
            /** @description Net canonical score at the start of the lookback. */
            conviction_v5_lookback?: number | null;
            /** @description Length of the lookback, minutes: 60, less in the first hour. */
            conviction_v5_lookback_minutes?: number | null;
            /** @description Net canonical score of the first instant of the session that has one, 09:35 at the earliest. */
            conviction_v5_session_open?: number | null;
            /** @description 1 minus the population deviation of the net scores of the session over 25 points, at least 0. */
            conviction_v5_stability?: number | null;
            /** @description Change of the net score per hour over the lookback. */
            conviction_v5_velocity?: number | null;
            /** @description Cumulative volume delta in raw shares since 09:30; positive buying, negative selling. */
            cvd?: number | null;
            /**
             * @description Swing points of price against those of CVD: a lower low in price with a higher low in CVD is bullish.
             * @enum {string|null}
             */
            cvd_divergence?: "bullish_div" | "bearish_div" | "none" | null;
            /** @description CVD as percent of the session volume whose side is known. */
            cvd_pct?: number | null;
            /**
             * @description Direction of CVD over the session.
             * @enum {string|null}
             */
            cvd_trend?: "accumulating" | "distributing" | "neutral" | null;
            /** @description Session dark pool share, 0-1: prints at FINRA facilities over all volume. Off-exchange is more than dark pools; it includes wholesalers. */
            dark_pool_pct_1d?: number | null;
            /** @description Dark pool (off-exchange) volume today, 04:00-20:00, shares. */
            dark_volume_1d?: number | null;
            day_context?: components["schemas"]["DayContext"] | null;
            /** @description Day type in favour of shorts, points. */
            day_type_bear?: number | null;
            /** @description Day type in favour of longs, points. */
            day_type_bull?: number | null;
            /**
             * @description From net_confluence: bullish at 10 and above, bearish at -10 and below, else neutral.
             * @enum {string|null}
             */
            directional_bias?: "bullish" | "bearish" | "neutral" | null;
            /**
             * @description The side that leads by the 10-point margin, else MIXED.
             * @enum {string|null}
             */
            directional_bias_v5?: "BULL_DOMINANT" | "BEAR_DOMINANT" | "MIXED" | null;
            /**
             * @deprecated
             * @description Deprecated; currently holds the 20-day average (use `adv20_usd` or `dollar_volume_today`). Over the sessions there are while history is shorter; 0 when nothing traded.
             */
            dollar_volume: number;
            /** @description last_price * volume, USD; null for an incomplete session, and without `volume`. */
            dollar_volume_today?: number | null;
            earnings?: components["schemas"]["Earnings"] | null;
            /**
             * @description POSITIVE (surprise >10%), SLIGHT_POSITIVE (0-10%), SLIGHT_NEGATIVE (-10-0%), NEGATIVE (<-10%).
             * @enum {string|null}
             */
            earnings_sentiment_bias?: "POSITIVE" | "SLIGHT_POSITIVE" | "SLIGHT_NEGATIVE" | "NEGATIVE" | null;
            /** @description Full-time employees. */
            employees?: number | null;
            /** @description Names of failed gates. */
            entry_failed_gates?: string[] | null;
            /** @description True when every entry gate passed, false when one failed; null when one could not be judged. */
            entry_gates_passed?: boolean | null;
            /**
             * @description Dealer gamma that shifted the weights, empty when it is neutral; null while it is unknown.
             * @enum {string|null}
             */
            entry_gex_modifier?: "long_gamma" | "short_gamma" | "" | null;
            /** @description Share of the score weight whose inputs are present, 0.0-1.0. */
            entry_score_completeness?: number | null;
            /**
             * Format: date-time
             * @description When the entry scores were computed.
             */
            entry_score_computed_at?: string | null;
            entry_v2?: components["schemas"]["EntryV2"] | null;
            /** @description Nearness of events, bearish score, points. */
            event_proximity_bear?: number | null;
            /** @description Nearness of events, bullish score, points. */
            event_proximity_bull?: number | null;
            /**
             * @description True when RSI < 15 or RSI > 85.
             * @default false
             */
            extreme_rsi_warning?: boolean;
            fundamental?: components["schemas"]["Fundamental"] | null;
            /** @description True when quality score >= 50. */
            fundamental_gate_passed?: boolean | null;
            /** @description Grade A-F. */
            fundamental_grade?: string | null;
            /** @description Underlies the grade. */
            fundamental_health_score?: number | null;
            /** @description Based on P/E, ROE, profit margin. */
            fundamental_quality_score?: number | null;
            /** @description Price at which dealer gamma changes sign, between strikes, USD. */
            gex_gamma_flip?: number | null;
            /**
             * @description Sign of net dealer gamma exposure, assuming dealers long calls and short puts; neutral below a tenth of the gross, null where the open contracts of calls or puts are not known.
             * @enum {string|null}
             */
            gex_regime?: "long_gamma" | "short_gamma" | "neutral" | null;
            /** @description Age of that chain, sessions: 0 of the trade date, 1 of the session before. */
            gex_sessions_old?: number | null;
            /**
             * Format: date-time
             * @description When the chain behind gex_regime and gex_gamma_flip was taken.
             */
            gex_source_time?: string | null;
            /** @description Greeks in favour of shorts, based on VIX regime, points. */
            greek_alignment_bear?: number | null;
            /** @description Greeks in favour of longs, based on VIX regime, points. */
            greek_alignment_bull?: number | null;
            /**
             * @description True while trading in the symbol is halted. False when no halt is known.
             * @default false
             */
            halted?: boolean;
            /** @description Place of the head office. */
            headquarters?: string | null;
            /** @description Return of the day in favour of shorts, points. */
            intraday_return_bear?: number | null;
            /** @description Return of the day in favour of longs, points. */
            intraday_return_bull?: number | null;
            /** @description (last_price - pdc) / pdc * 100, percent; null for an incomplete session. */
            intraday_return_pct?: number | null;
            /** @description Date of the initial public offering, YYYY-MM-DD. */
            ipo_date?: string | null;
            /**
             * @description True for elevated volume with declining trend: rel_vol_5d at or above 1.2 while the regression slope of log(close) over 20 completed sessions is negative.
             * @default false
             */
            is_distribution?: boolean;
            /**
             * @description True when price is more than 2 ATR from SMA20.
             * @default false
             */
            is_overextended?: boolean;
            /** @description Implied volatility in favour of shorts, points. */
            iv_bear?: number | null;
            /** @description Implied volatility in favour of longs, points. */
            iv_bull?: number | null;
            /** @description Close of the newest bar in view, extended hours included, USD. For callers without the real-time feed the value is delayed (at least 15 minutes old); it is null when no delayed bar is available. */
            last_price?: number | null;
            level_ladder?: components["schemas"]["LevelLadder"] | null;
            levels?: components["schemas"]["Levels"] | null;
            /** @description Lit (on-exchange) volume today, 04:00-20:00, shares. */
            lit_volume_1d?: number | null;
            /** @description URL of the logo. */
            logo_url?: string | null;
            /** @description 0.5*ret_60d + 0.3*ret_90d + 0.2*ret_20d, percentage. */
            momentum_blend?: number | null;
            momentum_health_v5?: components["schemas"]["MomentumHealthV5"] | null;
            /** @description Regression slope of log(close) over 60 days, annualized percentage. */
            momentum_slope_60d?: number | null;
            /** @description V4.2 momentum, bearish, points. */
            momentum_trend_bear?: number | null;
            /** @description V4.2 momentum, bullish, points. */
            momentum_trend_bull?: number | null;
            /**
             * @description Side of the nearest level when it lies within 0.25 daily ATR; neutral when none does or both sides are equally near.
             * @enum {string|null}
             */
            nearest_level_type?: "support" | "resistance" | "neutral" | null;
            /** @description Buy minus sell volume since 09:30, shares. */
            net_buy_volume?: number | null;
            /** @description bullish_confluence minus bearish_confluence. */
            net_confluence?: number | null;
            /** @description Bullish minus bearish entry score, -100..+100. */
            net_entry_score?: number | null;
            news?: components["schemas"]["News"] | null;
            options?: components["schemas"]["Options"] | null;
            /**
             * @description Side that most opening ranges (5, 15, 30 minutes) speak for: a break up or a failed break down is bullish, a break down or a failed break up bearish; neutral when they balance, null until one window has closed and where the feed stopped before the close.
             * @enum {string|null}
             */
            orb_directional_bias?: "bullish" | "bearish" | "neutral" | null;
            /** @description Nearness of price to the opening range, bearish, points. */
            orb_proximity_bear?: number | null;
            /** @description Nearness of price to the opening range, bullish, points. */
            orb_proximity_bull?: number | null;
            /** @description Trap and breakout patterns of the opening range, bearish, points. */
            orb_structure_bear?: number | null;
            /** @description Trap and breakout patterns of the opening range, bullish, points. */
            orb_structure_bull?: number | null;
            ownership?: components["schemas"]["Ownership"] | null;
            /** @description Active bearish patterns, points. */
            pattern_bear?: number | null;
            /** @description Active bullish patterns, points. */
            pattern_bull?: number | null;
            patterns?: components["schemas"]["Pattern"][] | null;
            /** @description Why `peer_divergence_v1` is null; null where it is not. */
            peer_divergence_reason?: string | null;
            peer_divergence_v1?: components["schemas"]["PeerDivergenceV1"] | null;
            price?: components["schemas"]["SessionPriceData"] | null;
            price_events?: components["schemas"]["PriceEvent"][] | null;
            /** @description Binomial pricer: value of puts at forecast volatility against the market, points. */
            pricing_edge_bear?: number | null;
            /** @description Binomial pricer: value of calls at forecast volatility against the market, points. */
            pricing_edge_bull?: number | null;
            /** @description Nearness of price to resistance above, bearish score, points. */
            proximity_bear?: number | null;
            /** @description Nearness of price to support below, bullish score, points. */
            proximity_bull?: number | null;
            /** @description Real-time intraday conviction of shorts. */
            pulse_bear?: number | null;
            /**
             * @description Band of pulse_net: STRONG from 60 points on, MOD from 25, else NEUTRAL.
             * @enum {string|null}
             */
            pulse_bias?: "STRONG_LONG" | "MOD_LONG" | "NEUTRAL" | "MOD_SHORT" | "STRONG_SHORT" | null;
            /** @description Real-time intraday conviction of longs. */
            pulse_bull?: number | null;
            /**
             * Format: date-time
             * @description The instant that the pulse speaks for: now, or the close once the session is over.
             */
            pulse_computed_at?: string | null;
            /** @description pulse_bull minus pulse_bear. */
            pulse_net?: number | null;
            pulse_v5?: components["schemas"]["PulseV5"] | null;
            /**
             * Format: date-time
             * @description Latest quote (SLA under 5 seconds).
             */
            quote_timestamp?: string | null;
            range_3d?: components["schemas"]["Range3D"] | null;
            regime_v5?: components["schemas"]["RegimeV5"] | null;
            /** @description 5-day average volume / 20-day average volume. */
            rel_vol_5d?: number | null;
            /** @description Relative volume of the prior day: its volume / 20-day average daily volume. Not rvol, which is volume / adv30_shares of the session so far. */
            rel_volume?: number | null;
            /**
             * @description Open vocabulary; pass unknown values through. Known: intraday_decline_severe, extreme_rsi, circuit_breaker_active, score_stale, conviction_stale, feed_stale, session_partial, session_incomplete, one_exchange, index_not_scored (an index, ^..., has no scores), and beta_gate_not_applicable, fundamental_gate_not_applicable, earnings_sentiment_gate_not_applicable (a fund has no books and no results, an index no beta either).
             * @default []
             */
            score_warnings?: string[];
            /** @description Canonical scoring version (v5 preferred). */
            scoring_version?: string | null;
            /** @description Sessions that the market has completed since the session of this answer; 0 with `date` or `as_of`, which ask for nothing newer. */
            sessions_behind?: number;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated?: boolean;
            /**
             * @description Market-data feed label. Callers without the real-time feed get `delayed`.
             * @default realtime_sip
             * @enum {string}
             */
            source?: "realtime_sip" | "delayed" | "byok";
            strategies?: components["schemas"]["StrategyMatch"][] | null;
            /** @description Ticker symbol. */
            symbol: string;
            technical?: components["schemas"]["Technical"] | null;
            thematic_exposures?: components["schemas"]["ThematicExposure"][] | null;
            /**
             * Format: date-time
             * @description Instant of the newest observation that the answer rests on; the as-of instant when there is none.
             */
            updated_at: string;
            /** @description True when no severe intraday decline: intraday_return_pct above -5. */
            v44_intraday_circuit_breaker_gate_passed?: boolean | null;
            /** @description VIX regime in favour of shorts, points. */
            vix_regime_bear?: number | null;
            /** @description VIX regime in favour of longs, points. */
            vix_regime_bull?: number | null;
            /** @description Volatility in favour of shorts, points. */
            volatility_bear?: number | null;
            /** @description Volatility in favour of longs, points. */
            volatility_bull?: number | null;
            /** @description Shares traded in the regular session of the trade date so far, of an incomplete session until its feed stopped (price.incomplete_after); 0 before its first trade; null where its bars are of one exchange alone (price.partial_feed). */
            volume: number | null;
            /** @description Volume in favour of shorts, points. */
            volume_bear?: number | null;
            /** @description Volume in favour of longs, points. */
            volume_bull?: number | null;
            volume_profile?: components["schemas"]["VolumeProfile"] | null;
            /**
             * @description Least-squares line through the last 20 session volumes: increasing or decreasing when it changes by more than 30 % of their mean, else stable.
             * @enum {string|null}
             */
            volume_trend?: "increasing" | "decreasing" | "stable" | null;
            /** @description URL of the company. */
            website?: string | null;
        };
        /**
         * StrategyMatch
         * @description One playbook that fits the stock at the instant.
         */
        StrategyMatch: {
            /** @description Conditions that hold. */
            conditions_met: string[];
            /** @description Conditions that do not hold or cannot be known. */
            conditions_missed: string[];
            /**
             * @description Direction that it would trade.
             * @enum {string}
             */
            direction: "bullish" | "bearish" | "neutral";
            /** @description How well the conditions are met, 0-100. */
            match_score: number | null;
            /** @description Name of the playbook for people. */
            name: string | null;
            /** @description Conflicts: playbooks that fit too and would trade the other way. */
            opposed_by: string[];
            /** @description R of an entry at the last price with the same stop and target; 1 at least, null where the playbook has no prices. */
            r_now: number | null;
            /** @description Why it fits, in a sentence that quotes its inputs. */
            rationale: string | null;
            record?: components["schemas"]["RecordBeside"] | null;
            /** @description R, reward over risk of an entry at the trigger: the way to the target over the way to the stop; 1 at least, null without prices. */
            rr_ratio: number | null;
            /** @description Price that would refute it, USD. */
            stop: number | null;
            /** @description Key of the playbook. */
            strategy: string;
            /** @description Price that it aims at, USD. */
            target: number | null;
            /** @description Price that would start it, USD. */
            trigger: number | null;
        };
        /**
         * StreamChange
         * @description Event `change`: the fields that changed.
         */
        StreamChange: {
            /**
             * Format: date-time
             * @description Instant that the state speaks for.
             */
            as_of: string;
            /** @description The top-level fields of StockResult that changed; nested blocks whole. */
            changed: {
                [key: string]: unknown;
            };
            /** @description Sequence number of the feed; missing numbers belong to other symbols. */
            seq: number;
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description Trade date of the state.
             */
            trade_date: string;
        };
        /**
         * StreamData
         * @description Data of the events of a stream, by the name of the event.
         */
        StreamData: components["schemas"]["StreamSnapshot"] | components["schemas"]["StreamChange"] | components["schemas"]["StreamEvent"] | components["schemas"]["StreamGap"] | components["schemas"]["StreamFarewell"];
        /**
         * StreamEvent
         * @description Event `event`: something has happened between two states.
         */
        StreamEvent: {
            /** @description The values after, by the names of their fields. */
            after: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Instant that the state speaks for.
             */
            as_of: string;
            /** @description The values before, by the names of their fields. */
            before: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Instant of the state that `before` is of; `as_of` is that of `after`.
             */
            before_as_of: string;
            /**
             * @description Which way; null where it has none.
             * @enum {string|null}
             */
            direction: "up" | "down" | null;
            /** @description Sequence number of the feed; missing numbers belong to other symbols. */
            seq: number;
            /** @description The level, opening range or field; null for the stock itself. */
            subject: string | null;
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description Trade date of the state.
             */
            trade_date: string;
            /**
             * @description What happened.
             * @enum {string}
             */
            type: "level_broken" | "orb_broken" | "orb_failed" | "tier_crossed" | "bias_changed" | "halted" | "resumed";
        };
        /**
         * StreamFarewell
         * @description Events `unauthorized` (the token has ended or was revoked) and `closing`; the stream ends with them.
         */
        StreamFarewell: {
            /** @description Word of the error catalogue. */
            code: string;
            /** @description Why the stream ends. */
            detail: string;
        };
        /**
         * StreamGap
         * @description Event `gap`: events are missing.
         */
        StreamGap: {
            /** @description Last number before the gap; null if unknown. */
            from: number | null;
            /**
             * @description Why: the events since `Last-Event-ID` are no longer stored, or the reader was too slow.
             * @enum {string}
             */
            reason: "history_gone" | "slow_reader";
            /** @description Symbols that it concerns; snapshots of them follow. */
            symbols: string[];
            /** @description Last number of the gap. */
            to: number;
        };
        /**
         * StreamHole
         * @description A stretch of the session that the stream missed.
         */
        StreamHole: {
            /**
             * @description Whether calls brought the rows afterwards; else nobody knows them.
             * @default false
             */
            filled: boolean;
            /**
             * Format: date-time
             * @description Its begin.
             */
            from: string;
            /**
             * Format: date-time
             * @description Its end.
             */
            to: string;
        };
        /**
         * StreamSnapshot
         * @description Event `snapshot`: the stock as stock detail serves it at this instant, without includes.
         */
        StreamSnapshot: {
            /**
             * Format: date-time
             * @description Instant that the state speaks for.
             */
            as_of: string;
            /** @description Sequence number of the feed; missing numbers belong to other symbols. */
            seq: number;
            stock: components["schemas"]["StockResult"];
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description Trade date of the state.
             */
            trade_date: string;
        };
        /**
         * StrikeExposure
         * @description Dealer exposure at one strike over all expirations.
         */
        StrikeExposure: {
            /** @description Dollars of delta that a move of 1 % adds to the open calls; null when open interest that it needs is not known. */
            call_gamma: number | null;
            /** @description Open calls with usable greeks, contracts; null when not known. */
            call_open_interest: number | null;
            /** @description Dollars of delta that a calendar day adds for dealers; null when open interest that it needs is not known. */
            charm: number | null;
            /** @description DEX: dollars of delta that dealers hold; null when open interest that it needs is not known. */
            delta: number | null;
            /** @description GEX: call_gamma less put_gamma, dollars per 1 %; null when open interest that it needs is not known. */
            net_gamma: number | null;
            /** @description The same of the open puts; null when open interest that it needs is not known. */
            put_gamma: number | null;
            /** @description Open puts with usable greeks, contracts; null when not known. */
            put_open_interest: number | null;
            /** @description Strike, USD. */
            strike: number;
            /** @description Dollars of delta that a volatility point adds for dealers; null when open interest that it needs is not known. */
            vanna: number | null;
        };
        /**
         * SymbolData
         * @description What the tape had of the symbol. A series counts from the end of its first session.
         */
        SymbolData: {
            /**
             * @description Option chains.
             * @default false
             */
            chains: boolean;
            /**
             * @description Daily bars.
             * @default false
             */
            daily: boolean;
            /**
             * @description Reported facts.
             * @default false
             */
            facts: boolean;
            /**
             * @description One-minute bars.
             * @default false
             */
            minute: boolean;
            /**
             * @description Order flow from trades and quotes.
             * @default false
             */
            ticks: boolean;
        };
        /**
         * SymbolRows
         * @description What of a symbol was taken.
         */
        SymbolRows: {
            /** @description Rows and facts. */
            rows: number;
            /** @description Ticker symbol. */
            symbol: string;
        };
        /**
         * Symbols
         * @description A page of the symbols that match a search.
         */
        Symbols: {
            /**
             * Format: date-time
             * @description Nothing counts that became known later; the same on every page.
             */
            as_of: string;
            /** @description Leads to the next page; null on the last. */
            next_cursor: string | null;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            /** @description The exact ticker first, then tickers that begin so, a former ticker, names that begin so, other names; each by ticker. */
            symbols: components["schemas"]["ListedSymbol"][];
        };
        /**
         * SymbolSessions
         * @description What became of the sessions of all symbols that have a bar.
         */
        SymbolSessions: {
            /** @description Bars that stop short of the open or the close. */
            fragment: number;
            /** @description Without the daily bars that the ATR needs. */
            no_daily_atr: number;
            /** @description Without one-minute bars. */
            no_minute_bars: number;
            /** @description Tested. */
            walked: number;
        };
        /**
         * Technical
         * @description Daily indicators with the running session as their last bar, TA-Lib conventions; null before warm-up, and RSI and ADX of a price that stands still.
         */
        Technical: {
            /** @description Average directional index, 14 sessions, Wilder smoothing. */
            adx_14?: number | null;
            /** @description ATR(14) on 1-minute bars of the regular session of the trade date, USD. */
            atr_1m_14?: number | null;
            /** @description Average true range, 14 sessions, Wilder smoothing, USD. */
            atr_14?: number | null;
            bollinger?: components["schemas"]["Bollinger"] | null;
            daily_atr?: components["schemas"]["DailyAtr"];
            /** @description Daily ATR(14) with the running session as its last bar, USD. */
            daily_atr_live?: number | null;
            /** @description MACD line: EMA12 minus EMA26, USD. */
            macd?: number | null;
            /** @description EMA9 of the MACD line, USD. */
            macd_signal?: number | null;
            moving_averages?: components["schemas"]["MovingAverages"] | null;
            /** @description Today's range / daily_atr 14. */
            range_vs_atr_14?: number | null;
            /** @description Relative strength index, 14 sessions, Wilder smoothing. */
            rsi_14?: number | null;
            /**
             * @description True when EMA9 > EMA20 > SMA50 > SMA200.
             * @default false
             */
            trend_stack_valid?: boolean;
        };
        /**
         * TextClaim
         * @description A number or date of the text, and what the facts say of it.
         */
        TextClaim: {
            /** @description The measure that its clause names. */
            about: string | null;
            /** @description How it follows, with names and values of facts. */
            derivation: string | null;
            /** @description UTF-16 place behind its last character. */
            end: number;
            /** @description Of a contradiction: what it should be, in the unit of the fact. */
            expected: number | string | null;
            fact: components["schemas"]["VerifiedFact"] | null;
            /**
             * @description What it is.
             * @enum {string}
             */
            kind: "number" | "date";
            /** @description Why, in one sentence. */
            reason: string;
            /** @description UTF-16 place of its first character in the text. */
            start: number;
            /** @description As it is written. */
            text: string;
            /** @description What it counts; null for a bare number. */
            unit: string | null;
            /** @description What it says: a number in `unit`, a date as YYYY-MM-DD; null for no day of the calendar. */
            value: number | string | null;
            /**
             * @description Whether a fact is the same, it follows from facts, it is wrong, or cannot be judged.
             * @enum {string}
             */
            verdict: "matches" | "derivable" | "contradicts" | "unknown";
        };
        /**
         * ThematicExposure
         * @description Exposure of the company to one structural theme.
         */
        ThematicExposure: {
            /**
             * @description Whether the company gains or loses when the theme advances.
             * @enum {string}
             */
            direction: "positive" | "negative" | "mixed";
            /** @description Strength of the exposure, 0-1. */
            magnitude: number | null;
            /** @description Always null: the basket of a theme is no part of one stock. */
            momentum: number | null;
            /**
             * @description Always null, as `momentum` is.
             * @enum {string|null}
             */
            momentum_state: "accelerating" | "steady" | "fading" | null;
            /** @description Why the company is exposed. */
            rationale: string | null;
            /** @description Key of the theme, e.g. ai_infrastructure. */
            theme: string;
            /** @description Name of the theme for people. */
            theme_name: string | null;
            /**
             * Format: date
             * @description Date from which the exposure holds.
             */
            valid_from: string | null;
        };
        /** TokenRequest */
        TokenRequest: {
            /** @description What the agent that will use the token calls itself; the audit trail names it. */
            agent_id: string;
            /** @description The client that holds the secret. */
            client_id: string;
            /** @description Its secret, as it was shown when the client was made. */
            client_secret: string;
            /** @description One of the grants of the client. */
            grant_id: string;
            /** @description What the token is to be used for: stock:read, market-data:realtime, options:read, screener:read, market:read, chat:read, backtest:run, internal:call. */
            scopes: ("stock:read" | "market-data:realtime" | "options:read" | "screener:read" | "market:read" | "chat:read" | "backtest:run" | "internal:call")[];
            /** @description Life of the token. */
            ttl_seconds: number;
        };
        /**
         * TokenResponse
         * @description A token, as RFC 6749 answers one, and whose it is.
         */
        TokenResponse: {
            /** @description Present it as `Authorization: Bearer`. */
            access_token: string;
            /** @description The agent that it was issued to. */
            agent_id: string;
            /**
             * Format: date-time
             * @description When the token ends.
             */
            expires_at: string;
            /** @description Seconds; fewer than asked for where the grant ends before. */
            expires_in: number;
            /** @description The grant that it was issued under. */
            grant_id: string;
            /** @description Scopes of the token with a space between them. */
            scope: string;
            /** @enum {unknown} */
            token_type: "Bearer";
        };
        /**
         * TotalExposure
         * @description Dealer exposure of the whole chain.
         */
        TotalExposure: {
            /** @description Dollars of delta that a move of 1 % adds to the open calls; null when open interest that it needs is not known. */
            call_gamma: number | null;
            /** @description Open calls with usable greeks, contracts; null when not known. */
            call_open_interest: number | null;
            /** @description Dollars of delta that a calendar day adds for dealers; null when open interest that it needs is not known. */
            charm: number | null;
            /** @description DEX: dollars of delta that dealers hold; null when open interest that it needs is not known. */
            delta: number | null;
            /** @description GEX: call_gamma less put_gamma, dollars per 1 %; null when open interest that it needs is not known. */
            net_gamma: number | null;
            /** @description The same of the open puts; null when open interest that it needs is not known. */
            put_gamma: number | null;
            /** @description Open puts with usable greeks, contracts; null when not known. */
            put_open_interest: number | null;
            /** @description Dollars of delta that a volatility point adds for dealers; null when open interest that it needs is not known. */
            vanna: number | null;
        };
        /** ValidationError */
        ValidationError: {
            /** @description The bound that was broken. */
            ctx: Record<string, never>;
            /** @description The offending value. */
            input: unknown;
            /** @description Place of the fault, beginning body, query, path or header. */
            loc: string[];
            msg: string;
            /** @example string_too_short */
            type: string;
        };
        /**
         * Verification
         * @description A text compared with the facts of a stock.
         */
        Verification: {
            /**
             * Format: date-time
             * @description The newest instant that the facts speak for.
             */
            as_of: string;
            /** @description In the order of the text. */
            claims: components["schemas"]["TextClaim"][];
            /** @description Facts that are known of the stock. */
            facts_known: number;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /**
             * @description The feed of the caller.
             * @enum {string}
             */
            source: "realtime_sip" | "delayed" | "byok";
            summary: components["schemas"]["VerificationSummary"];
            /** @description Ticker symbol. */
            symbol: string;
            /**
             * Format: date
             * @description The session whose facts it was compared with.
             */
            trade_date: string;
        };
        /**
         * VerificationSummary
         * @description Claims by verdict.
         */
        VerificationSummary: {
            /** @description Wrong. */
            contradicts: number;
            /** @description Follow from facts. */
            derivable: number;
            /** @description The same as a fact. */
            matches: number;
            /** @description Nobody can say. */
            unknown: number;
        };
        /**
         * VerifiedFact
         * @description A fact that a number was compared with.
         */
        VerifiedFact: {
            /** @description Its name, e.g. `stock.technical.rsi_14`. */
            id: string;
            /**
             * Format: date-time
             * @description The instant that it speaks for.
             */
            instant: string;
            /** @description What it is, in words without figures. */
            label: string;
            /** @description Where it comes from. */
            source: string;
            /** @description What a number counts. */
            unit: string | null;
            /** @description As it is quoted. */
            value: number | string | boolean;
        };
        /** VerifyRequest */
        VerifyRequest: {
            /**
             * Format: date
             * @description Trade date, YYYY-MM-DD. Default: the newest session of the symbol.
             */
            date?: string;
            /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
            symbol: string;
            /** @description The draft, with at most 500 numbers and dates. */
            text: string;
        };
        /**
         * Versions
         * @description Versions of the program and of what it runs on.
         */
        Versions: {
            /** @description Node.js. */
            node: string;
            /** @description PostgreSQL. */
            postgresql: string;
            /** @description Program. */
            tigraph: string;
        };
        /**
         * VolatilitySmile
         * @description Implied volatility of one expiration by strike.
         */
        VolatilitySmile: {
            /** @description Volatility at the forward. Decimal a year; null when it is not quoted. */
            at_the_money: number | null;
            /** @description Volatility of the out-of-the-money call of 25 % forward delta. Decimal a year; null when it is not quoted. */
            call_25_delta: number | null;
            /** @description Calendar days to it. */
            dte: number;
            /**
             * Format: date
             * @description Date of the expiration.
             */
            expiration: string;
            /** @description Forward price that the quotes imply, USD; null where they imply none. */
            forward: number | null;
            /** @description The same of the put. Decimal a year; null when it is not quoted. */
            put_25_delta: number | null;
            /**
             * @description Whether it settles at the open of its date or at the close; unknown, it counts to the close.
             * @enum {string}
             */
            settlement: "open" | "close" | "unknown";
            /** @description Strikes with a volatility, ascending, USD. */
            strike: number[];
            /** @description Volatility of each strike, decimal a year, of the right that is out of the money; a strike where that is not quoted has none. */
            volatility: number[];
        };
        /**
         * VolatilitySurface
         * @description Implied volatility of a chain: a smile for each expiration, and their term structure.
         */
        VolatilitySurface: {
            /** @description Age of the chain at the instant of the answer, whole minutes; null without a chain. */
            age_minutes: number | null;
            /** @description Volatility at the money at a constant maturity of 30 days. Decimal a year; null when it is not quoted. */
            at_the_money_30: number | null;
            /**
             * @description How much of the answer there is.
             * @enum {string}
             */
            availability: "available" | "partial" | "stale" | "unavailable";
            /** @description Why the answer is not whole, and what was left out. */
            availability_qualifier: string;
            /**
             * @description True when nothing was computed for this call.
             * @default false
             */
            cached: boolean;
            /**
             * @description Time that computing took for this call, milliseconds.
             * @default 0
             */
            computation_ms: number;
            /** @description The inputs that were used, each with its instant. */
            dependencies: string[];
            /** @description Expirations that still live, ascending. */
            expirations: components["schemas"]["VolatilitySmile"][];
            /** @description Age of the chain at the instant of the answer, sessions: 0 of the same, 1 of the session before; null without a chain. */
            sessions_old: number | null;
            /**
             * @description True for the simulated market, false for real data; an answer is of one of them.
             * @default false
             */
            simulated: boolean;
            /** @description Volatility of the 25-delta put less that of the call at 30 days, decimal; null when it is not quoted. */
            skew_30: number | null;
            /**
             * Format: date-time
             * @description When the chain was taken.
             */
            source_time: string | null;
            /** @description Price of the underlying with the chain, USD. */
            spot_price: number | null;
            /** @description Ticker symbol. */
            symbol: string;
            /** @description 90-day less 30-day volatility at the money, decimal: positive is the usual upward slope; null when it is not quoted. */
            term_slope: number | null;
        };
        /**
         * VolumeNode
         * @description A price row that stands out.
         */
        VolumeNode: {
            /** @description Middle of the row, USD. */
            price: number;
            /** @description Shares in the row. */
            volume: number;
        };
        /**
         * VolumeProfile
         * @description Volume by price of the prior and the developing regular session.
         */
        VolumeProfile: {
            developing: components["schemas"]["SessionVolumeProfile"] | null;
            prior: components["schemas"]["SessionVolumeProfile"] | null;
        };
    };
    responses: {
        /** @description The request cannot be carried out as it is. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The state of what is named does not allow it. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The disk of the service takes no more. */
        DiskFull: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token lacks the scope, or its grant does not cover the symbol. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The cursor is too old; begin again with the first page. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Address and header lines together are too large. */
        HeadersTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description This is not served in the media type that `Accept` asks for. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Nothing is known under this name, or not of this date. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is larger than what is read here. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The answer took longer than the service allows. */
        TimedOut: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Calls of the address by minute, or of the grant by minute or day, are used up; of backtests: too many runs wait. Wait for the seconds in `Retry-After`. Refused calls do not count. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A token is needed, or the token is unknown, expired or revoked. */
        Unauthenticated: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too much work waits already, or a part of the service is not there yet. Wait for the seconds in `Retry-After`. */
        Unavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body is not `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The address or one of its parts is too long. */
        UriTooLong: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Parameters or the body break their schema. */
        ValidationFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HTTPValidationError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Seconds until the call can succeed. */
        "Retry-After": number;
        /** @description The challenge of RFC 6750, with the scope that is missing. */
        "WWW-Authenticate": string;
        /** @description The identifier under which the log knows this request. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getKeySet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Public keys that tokens of this installation verify with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /** @description Runs of a page, 1 to 100. Default: 20. */
                limit?: number;
                /** @description Only runs in this state. */
                status?: "pending" | "running" | "completed" | "failed" | "cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of runs, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptimizationRuns"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    startOptimization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptimizationRequest"];
            };
        };
        responses: {
            /** @description An optimisation run: its progress and its outcome. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptimizationRun"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: {
                /** @description `grid` adds every cell; else it is null. Or as repeated keys. */
                include?: "grid"[];
            };
            header?: never;
            path: {
                /** @description Identifier of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An optimisation run: its progress and its outcome. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptimizationRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An optimisation run: its progress and its outcome. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptimizationRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    watchRun: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of the run. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress of a run. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["OptimizationRunStanding"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenRequest"];
            };
        };
        responses: {
            /** @description A token, as RFC 6749 answers one, and whose it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenResponse"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChatContext: {
        parameters: {
            query: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD. Default: the newest session of the symbol. */
                date?: string;
                /** @description Which market: the real one, or the simulated one of the demo; the two share nothing. Default: the real one, unless there is nothing but the demo. With a symbol, that of the symbol. */
                market?: "real" | "simulated";
                /** @description Estimated tokens that the whole answer may take, 500 to 32000. Default: 6000. */
                max_tokens?: number;
                /** @description The page that is talked about; it chooses what matters. */
                page_type: "stock_detail" | "options" | "screener" | "market" | "backtest";
                /** @description Chooses news, playbooks and facts by words: those that have all of them first, then those that have some; `"a phrase"`, `or` and `-without` as in a web search. What nothing matches, and a blank query, is answered as without it. */
                query?: string;
                /** @description Ticker symbol; capitals or not. Required for the pages stock_detail and options. */
                symbol?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What an agent may say of a page, with its proofs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatContext"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    verifyText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            /** @description A text compared with the facts of a stock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Verification"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getNeighborhood: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD. Default: the newest stock-day of the symbol in the graph. */
                date?: string;
                /** @description Rings around the stock, 1 to 3. Default: 1. */
                depth?: number;
                /** @description Nodes at most, 1 to 500. Default: 100. */
                limit?: number;
                /** @description Comma-separated types of edges that are walked along; all unless said. Words: OF, IN_SECTOR, IN_INDUSTRY, PEER_OF, EXPOSED_TO, MATCHES, EXHIBITS, HAS_EVENT, MENTIONED_IN, HAS_LEVEL, ON. Or as repeated keys. */
                types?: ("OF" | "IN_SECTOR" | "IN_INDUSTRY" | "PEER_OF" | "EXPOSED_TO" | "MATCHES" | "EXHIBITS" | "HAS_EVENT" | "MENTIONED_IN" | "HAS_LEVEL" | "ON")[];
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nodes around a stock on a trade date, ring by ring. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Neighborhood"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getMarketContext: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD. Default: the newest session that has a market. */
                date?: string;
                /** @description Which market: the real one, or the simulated one of the demo; the two share nothing. Default: the real one, unless there is nothing but the demo. With a symbol, that of the symbol. */
                market?: "real" | "simulated";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state of the market as a whole. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketContext"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getDteScores: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol. */
                date?: string;
                /** @description Which way the trade is. */
                direction?: "bullish" | "bearish";
                /** @description How long the trade is held: one session, five, twenty. */
                timeframe?: "intraday" | "swing" | "position";
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every expiration of a chain, weighed for a buyer of options. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DteScores"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getExposure: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol. */
                date?: string;
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Dealer gamma, delta, vanna and charm by strike and expiration. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Exposure"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getSurface: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD, whose chain is replayed. Default: the newest chain of the symbol. */
                date?: string;
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Implied volatility of a chain: a smile for each expiration, and their term structure. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VolatilitySurface"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    listRecords: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description First trade date of the events, YYYY-MM-DD. Default: all. */
                from?: string;
                /** @description Family of a level, type of a pattern, score or divergence with its sessions, timeframe and direction of an expiration, e.g. `prior_day`, `swing.bullish`. */
                key?: string;
                /** @description Kind of claim. Default: all. */
                kind?: "level" | "pattern" | "playbook" | "swing_playbook" | "score" | "divergence" | "expiration";
                /** @description Which market: the real one, or the simulated one of the demo; the two share nothing. Default: the real one, unless there is nothing but the demo. With a symbol, that of the symbol. */
                market?: "real" | "simulated";
                /** @description Regime before the open, of the volatility index or of the dealers' gamma of the index: COMPLACENT, NORMAL, ELEVATED, EXTREME_FEAR, long_gamma, short_gamma, neutral_gamma; of levels and playbooks also the kind of day that it had been before the claim: trending, rotational, uncertain. Default: all. */
                regime?: string;
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol?: string;
                /** @description Last trade date of the events, YYYY-MM-DD. Default: all. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Records of claims. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Records"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    listRecordEvents: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description `next_cursor` of the page before, with the same query. */
                cursor?: string;
                /** @description First trade date of the events, YYYY-MM-DD. Default: all. */
                from?: string;
                /** @description Events at most, 1 to 1000. Default: 100. */
                limit?: number;
                /** @description Which market: the real one, or the simulated one of the demo; the two share nothing. Default: the real one, unless there is nothing but the demo. With a symbol, that of the symbol. */
                market?: "real" | "simulated";
                /** @description `true`, `false`, or all. Default: all. */
                outcome?: "all" | "true" | "false";
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol?: string;
                /** @description Last trade date of the events, YYYY-MM-DD. Default: all. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description `id` of a record, e.g. `level.prior_day`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Claims of one record, the newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimEvents"];
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    screenStocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScreenRequest"];
            };
        };
        responses: {
            /** @description A page of the stocks that fulfil a screen. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScreenAnswer"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            410: components["responses"]["Gone"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    listScreenFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every field that a screen may use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScreenFields"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How fresh and how complete the data is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Status"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getStock: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD. Default: the newest session of the symbol. */
                date?: string;
                /** @description Comma-separated dotted paths of blocks, lists or single values, at most 100, e.g. `last_price,technical.rsi_14,levels`: only those are answered, with `symbol`, `updated_at` and `as_of`. Blocks of `include` are named like all others. Or as repeated keys. */
                fields?: string[];
                /** @description Comma-separated list of blocks to add; the others are null. With `records` each level of the ladder and each pattern has its record beside it. Words: confluence_components, level_ladder, levels, news, patterns, price_events, records, strategies, thematic_exposure, thematic_exposures, volume_profile. Or as repeated keys. */
                include?: ("confluence_components" | "level_ladder" | "levels" | "news" | "patterns" | "price_events" | "records" | "strategies" | "thematic_exposure" | "thematic_exposures" | "volume_profile")[];
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that is known of a stock at an instant. Every field is present, or those that `fields` names, null when its value is unavailable; blocks of the `include` parameter are null unless requested. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getBars: {
        parameters: {
            query?: {
                /** @description Prices and volumes in shares of the date of `as_of`, splits taken into account; `false`: as traded. Default: true. */
                adjusted?: "true" | "false";
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description `next_cursor` of the page before, with the same query. */
                cursor?: string;
                /** @description The first bar. Default: with `limit` the newest bars, however far back; else of intraday bars the newest session, of days a year, of weeks five years before `to`. YYYY-MM-DD or RFC 3339. */
                from?: string;
                /** @description Length of a bar. Default: 1d. */
                interval?: "1m" | "5m" | "15m" | "30m" | "1h" | "1d" | "1w";
                /** @description Bars at most: the first of a range, without `from` the newest, 1 to 300000. Default: 10000. */
                limit?: number;
                /** @description Intraday bars of regular trading, or of 04:00 to 20:00 New York. Default: regular. Days and weeks are of regular trading. */
                session?: "regular" | "all";
                /** @description The last bar, included. Default: the newest. YYYY-MM-DD or RFC 3339. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Bars of one stock as columns of one length, in ascending time. A minute without a trade has no bar. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Bars"];
                    "application/vnd.apache.arrow.stream": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    explainField: {
        parameters: {
            query: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD. Default: the newest session of the symbol. */
                date?: string;
                /** @description Path of a single value of the stock detail. */
                field: string;
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How a field of a stock came about. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getHistory: {
        parameters: {
            query: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description `next_cursor` of the page before, with the same query. */
                cursor?: string;
                /** @description What happens to dates without stored values, at most 260 at a time, the newest first: `wait` answers once they are derived, after 20 seconds at most; `background` answers at once and derives them; `no` leaves them. `true` is `wait`, `false` is `no`. Default: background. */
                derive?: "wait" | "background" | "no" | "true" | "false";
                /** @description Fields of the stock detail that hold a single value, with commas between them, at most 50: see the fields of a screen. Or as repeated keys. */
                fields: string[];
                /** @description The first session; a range has at most 5,200. Default: the newest `limit` sessions. YYYY-MM-DD or RFC 3339. */
                from?: string;
                /** @description Sessions at most: without `from` the newest, else the first of the range, all of it by default, 1 to 5200. Default: 260. */
                limit?: number;
                /** @description The last session, included. Default: the newest. YYYY-MM-DD or RFC 3339. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Fields of one stock over trade dates, as columns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["History"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getPeers: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description Trade date, YYYY-MM-DD. Default: the newest session of the symbol. */
                date?: string;
            };
            header?: never;
            path: {
                /** @description Ticker symbol; capitals or not. A share class may follow a dot, a dash or a slash (`BRK.B`, `BRK-B`), an index its caret or not (`^SPX`, `SPX`). */
                symbol: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The peers of a stock and how its return compared with theirs on a completed session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Peers"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    watchStocks: {
        parameters: {
            query: {
                /** @description Ticker symbols with commas between them, 1 to 200; capitals or not. Or as repeated keys. */
                symbols: string[];
            };
            header?: {
                /** @description The last `id` of an earlier stream of the same symbols: the events since then follow, or a `gap` and snapshots if they are no longer stored. Browsers send it automatically. */
                "last-event-id"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Data of the events of a stream, by the name of the event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["StreamData"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    searchSymbols: {
        parameters: {
            query?: {
                /** @description RFC 3339 instant with its zone, e.g. 2026-02-27T15:30:00Z, read to the minute: the answer as of then. Default: the newest instant of the caller. */
                as_of?: string;
                /** @description `next_cursor` of the page before, with the same query. */
                cursor?: string;
                /** @description Symbols at most, 1 to 200. Default: 50. */
                limit?: number;
                /** @description The beginning of a ticker, or of words of the company name in any order; case and accents do not matter. Default: every symbol. */
                q?: string;
                /** @description Only companies of this sector. */
                sector?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the symbols that match a search. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Symbols"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The simulated market that the first start builds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    leaveDemo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The simulated market that the first start builds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Demo"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    computeDiffusion: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DiffusionRequest"];
            };
        };
        responses: {
            /** @description Divergences of the supplied returns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DiffusionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    listImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files that were brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Imports"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Length of the file. */
                    bytes: number;
                    /**
                     * @description Name of the file, which may name its symbol. Folders before it are left out.
                     * @example AAPL_daily.csv
                     */
                    name: string;
                };
            };
        };
        responses: {
            /** @description A file that is brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["DiskFull"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file that is brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            414: components["responses"]["UriTooLong"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file that is brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    addImportPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description At most 600000 bytes of the file in base64.
                     * @example ZGF0ZSxvcGVu
                     */
                    base64: string;
                    /** @description Where in the file the part begins. */
                    offset: number;
                };
            };
        };
        responses: {
            /** @description A file that is brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["DiskFull"];
        };
    };
    readImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description How dates of numbers alone are written.
                     * @enum {string}
                     */
                    date_format?: "auto" | "month-first" | "day-first";
                    /** @description The last date whose rows are final. */
                    final_through?: string;
                    /**
                     * @description Length of a bar.
                     * @enum {string}
                     */
                    interval?: "1m" | "2m" | "3m" | "5m" | "10m" | "15m" | "30m" | "1h" | "1d";
                    /** @description The date on which a table of companies was known. */
                    known_at?: string;
                    /**
                     * @description What past prices are.
                     * @enum {string}
                     */
                    prices?: "traded" | "split-adjusted" | "adjusted";
                    /**
                     * @description Whether a time is that at which its bar begins or ends.
                     * @enum {string}
                     */
                    stamps?: "start" | "end";
                    /** @description The symbol of every row. */
                    symbol?: string;
                    /**
                     * @description IANA name of the clock of times without a zone.
                     * @example America/New_York
                     */
                    time_zone?: string;
                    /**
                     * @description What volumes count; unknown where they do not count.
                     * @enum {string}
                     */
                    volumes?: "shares" | "lots" | "thousands" | "millions" | "unknown";
                };
            };
        };
        responses: {
            /** @description A file that is brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    startImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier of an import. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A file that is brought. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            414: components["responses"]["UriTooLong"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLoaded: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Symbols at most, 1 to 100. Default: 25. */
                limit?: number;
                /** @description The beginning of a ticker. Default: every symbol. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is loaded. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Loaded"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
            504: components["responses"]["TimedOut"];
        };
    };
    getRecordBuild: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count of what became of past claims. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordBuild"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    buildRecords: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The count of what became of past claims. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordBuild"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The live feeds that this process follows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveFeeds"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            503: components["responses"]["Unavailable"];
        };
    };
}
