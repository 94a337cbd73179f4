/**
 * The shapes on the wire. Generated: `npm run openapi` writes this file.
 */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Root information
         * @description Root information.
         *
         *     Needs no key.
         */
        get: operations["getRoot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Liveness
         * @description Liveness.
         *
         *     Needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Machine-readable specification
         * @description Machine-readable specification.
         *
         *     Needs no key.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Key, agency, limits, usage
         * @description Counts as a read.
         *
         *     Takes any key except one with only `leads:*` scopes.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List
         * @description The agency's listings, in pages. By default the published ones, newest first.
         *
         *     Needs the scope `properties:read`.
         */
        get: operations["listProperties"];
        put?: never;
        /**
         * Create
         * @description Creates a draft, or with `status: published` a listing that is shown at once. Publishing requires its fields and photos to be complete.
         *
         *     Needs the scope `properties:write`.
         */
        post: operations["createProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Up to 50 operations
         * @description Items run in order. Each does what its single operation would do; a failed item does not stop the others. Each counts as one write.
         *
         *     Needs the scope `properties:write`.
         */
        post: operations["batchProperties"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/external/{external_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read by external id
         * @description By the id of the listing in your own system.
         *
         *     Needs the scope `properties:read`.
         */
        get: operations["getPropertyByExternalId"];
        /**
         * Upsert
         * @description Creates the listing if none has this external id; otherwise changes only the fields sent. On an update, `status` and `photos` are ignored with a warning: call `PUT /properties/{id}/photos`, `enable` or `disable` then. An `external_id` in the body must equal the one in the path.
         *
         *     Needs the scope `properties:write`.
         */
        put: operations["putProperty"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one
         * @description By public code or uuid. A read-only key sees only published listings.
         *
         *     Needs the scope `properties:read`.
         */
        get: operations["getProperty"];
        put?: never;
        post?: never;
        /**
         * Delete
         * @description The listing no longer exists for the API: its external id is free again and its photos are not served. A second DELETE gives 404. Only the operator can restore it.
         *
         *     Needs the scope `properties:write`.
         */
        delete: operations["deleteProperty"];
        options?: never;
        head?: never;
        /**
         * Partial edit
         * @description Changes only the fields sent: objects merge, null clears, lists replace. `photos` reorders and removes the listing's own; `PUT …/photos` adds and replaces too. The state cannot be changed here.
         *
         *     Needs the scope `properties:write`.
         */
        patch: operations["patchProperty"];
        trace?: never;
    };
    "/properties/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable
         * @description Takes a published listing off the public pages (also called suspending it). If it is already disabled, its state does not change, but the reason and closing data sent are recorded. A draft gives 400.
         *
         *     Needs the scope `properties:write`.
         */
        post: operations["disableProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable (publish)
         * @description Publishes a draft, or a disabled listing again, if it meets the requirements. A published one stays as it is.
         *
         *     Needs the scope `properties:write`.
         */
        post: operations["enableProperty"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/properties/{id}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the photos by URL
         * @description Sets the listing's photos to exactly these, in this order; photos that are not named are removed. The listing's own photo URLs, and source URLs that one of its photos came from, stay without a download; other URLs are downloaded as in `POST`. If a download fails, nothing is removed: photos that are not named follow the others, with the warning `photos_kept`. A published listing keeps at least 3.
         *
         *     Needs the scope `properties:write`.
         */
        put: operations["setPhotos"];
        /**
         * Add photos by URL
         * @description Downloads and stores each image and appends them in the given order. JPEG, PNG or WebP, up to 10 MB and 50 megapixels each. A download has 20 seconds, all photos of a request together 40. One bad image does not fail the request. A picture that the listing already has is a `duplicate` and takes no place; if there would be more than 50, nothing is downloaded.
         *
         *     Needs the scope `properties:write`.
         */
        post: operations["addPhotos"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/geocode": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test an address
         * @description Parses the address, looks it up on the map and says whether a listing of the agency already has it. Saves nothing, and ignores Idempotency-Key.
         *
         *     Needs the scope `properties:write`.
         */
        post: operations["geocode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes
         * @description Every listing in the order of its last change, including removed ones, starting after a cursor. Use it to make a copy and keep it current: see [Keeping a copy](#keeping-a-copy).
         *
         *     Needs the scope `properties:read`.
         */
        get: operations["listChanges"];
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
        /** @description Does what POST does. */
        BatchCreate: {
            /** @description The external id of the listing. */
            external_id: string;
            /** @enum {string} */
            action: "create";
            /** @description Plain text. */
            title?: string | null;
            /** @description Plain text with line breaks. */
            description?: string | null;
            /**
             * @description To change it, send `price` too.
             * @enum {string|null}
             */
            operation?: "sale" | "rent" | "temporary" | null;
            /**
             * @description Any case, with or without accents, on input.
             * @enum {string|null}
             */
            type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Price, or price on request. */
            price?: {
                /** @description At most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description True: price on request, without amount and currency. */
                on_request?: boolean | null;
            } | null;
            /** @description Building fees. */
            expenses?: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number; include the locality. */
            address?: string | null;
            /** @description Where it is. Without coordinates, the service looks up the address. */
            location?: {
                /** @description City or locality. */
                city?: string | null;
                /** @description Province. */
                province?: string | null;
                /** @description Together with `lng`, or not at all. */
                lat?: number | null;
                /** @description Together with `lat`, or not at all. */
                lng?: number | null;
            } | null;
            /** @description On a `Lote` only `total_m2`, `orientation` and `credit_eligible` apply. */
            features?: {
                /** @description Bedrooms. */
                bedrooms?: number | null;
                /** @description Bathrooms. */
                bathrooms?: number | null;
                /** @description Rooms (ambientes). */
                rooms?: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2?: number | null;
                /** @description Covered area. */
                covered_m2?: number | null;
                /** @description Parking places. */
                garages?: number | null;
                /** @description Age in years; 0 is new. */
                age_years?: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition?: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation?: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly?: boolean | null;
                /** @description Comes furnished. */
                furnished?: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible?: boolean | null;
            } | null;
            /** @description Amenities. */
            amenities?: string[] | null;
            /** @description Public https URLs of JPEG, PNG or WebP images; 3 to 50 to publish. In a PATCH: the listing's own photos, in the order wanted. */
            photos?: string[] | null;
            /** @description URL of a video. */
            video_url?: string | null;
            /** @description Up to 3 videos. */
            video_urls?: string[] | null;
            /** @description URL of a virtual tour. */
            virtual_tour_url?: string | null;
            /** @description Rentals only. */
            rental?: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay?: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months?: number | null;
                /** @description Services included in the price. */
                services_included?: string[] | null;
            } | null;
            /**
             * @description On creation: `draft`, the default, or `published`, which publishes the listing at once. Ignored with a warning on an update.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description True keeps the address even if another listing has the same street and number. */
            force_duplicate?: boolean | null;
        };
        /** @description Removes the listing. */
        BatchDelete: {
            /** @description The external id of the listing. */
            external_id: string;
            /** @enum {string} */
            action: "delete";
        };
        /** @description Disables the listing. */
        BatchDisable: {
            /** @description The external id of the listing. */
            external_id: string;
            /** @enum {string} */
            action: "disable";
            /**
             * @description Why it is disabled.
             * @enum {string|null}
             */
            reason?: "sold" | "rented" | "sold_by_us" | "sold_by_other" | "contract_ended" | "suspended" | "price_change" | "other" | null;
            /** @description The real price, a number in the currency of the listing or with its own; at most 2 decimals. With `sold` or `rented` only. */
            close_price?: number | {
                amount: number;
                /** @enum {string} */
                currency: "USD" | "ARS";
            } | null;
            /** @description A date, or a date and time, in ISO 8601; UTC without a zone; now if left out. With `sold` or `rented` only. */
            closed_at?: string | null;
        };
        /** @description Publishes the listing, or publishes it again. */
        BatchEnable: {
            /** @description The external id of the listing. */
            external_id: string;
            /** @enum {string} */
            action: "enable";
        };
        /** @description One of these, by `action`; an upsert if it is left out. */
        BatchItem: components["schemas"]["BatchUpsert"] | components["schemas"]["BatchCreate"] | components["schemas"]["BatchUpdate"] | components["schemas"]["BatchDisable"] | components["schemas"]["BatchEnable"] | components["schemas"]["BatchDelete"];
        BatchResult: {
            index: number;
            external_id: string | null;
            action: string | null;
            /** @description The HTTP status that this item alone would have had. */
            status: number;
            data?: components["schemas"]["Property"] | {
                id: string;
                external_id: string | null;
                /** @constant */
                deleted: true;
                /** Format: date-time */
                deleted_at: string;
            };
            /** @description A result for each URL, in the order sent. */
            photos?: components["schemas"]["PhotoResult"][];
            error?: components["schemas"]["ItemError"];
            /** @description What was ignored or needs attention; empty when nothing does. */
            warnings: components["schemas"]["Warning"][];
        };
        /** @description Does what PATCH does. */
        BatchUpdate: {
            /** @description The external id of the listing. */
            external_id: string;
            /** @enum {string} */
            action: "update";
            /** @description Plain text. */
            title?: string | null;
            /** @description Plain text with line breaks. */
            description?: string | null;
            /**
             * @description To change it, send `price` too.
             * @enum {string|null}
             */
            operation?: "sale" | "rent" | "temporary" | null;
            /**
             * @description Any case, with or without accents, on input.
             * @enum {string|null}
             */
            type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Price, or price on request. */
            price?: {
                /** @description At most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description True: price on request, without amount and currency. */
                on_request?: boolean | null;
            } | null;
            /** @description Building fees. */
            expenses?: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number; include the locality. */
            address?: string | null;
            /** @description Where it is. Without coordinates, the service looks up the address. */
            location?: {
                /** @description City or locality. */
                city?: string | null;
                /** @description Province. */
                province?: string | null;
                /** @description Together with `lng`, or not at all. */
                lat?: number | null;
                /** @description Together with `lat`, or not at all. */
                lng?: number | null;
            } | null;
            /** @description On a `Lote` only `total_m2`, `orientation` and `credit_eligible` apply. */
            features?: {
                /** @description Bedrooms. */
                bedrooms?: number | null;
                /** @description Bathrooms. */
                bathrooms?: number | null;
                /** @description Rooms (ambientes). */
                rooms?: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2?: number | null;
                /** @description Covered area. */
                covered_m2?: number | null;
                /** @description Parking places. */
                garages?: number | null;
                /** @description Age in years; 0 is new. */
                age_years?: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition?: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation?: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly?: boolean | null;
                /** @description Comes furnished. */
                furnished?: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible?: boolean | null;
            } | null;
            /** @description Amenities. */
            amenities?: string[] | null;
            /** @description Public https URLs of JPEG, PNG or WebP images; 3 to 50 to publish. In a PATCH: the listing's own photos, in the order wanted. */
            photos?: string[] | null;
            /** @description URL of a video. */
            video_url?: string | null;
            /** @description Up to 3 videos. */
            video_urls?: string[] | null;
            /** @description URL of a virtual tour. */
            virtual_tour_url?: string | null;
            /** @description Rentals only. */
            rental?: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay?: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months?: number | null;
                /** @description Services included in the price. */
                services_included?: string[] | null;
            } | null;
            /** @description True keeps the address even if another listing has the same street and number. */
            force_duplicate?: boolean | null;
        };
        /** @description Does what PUT does; the default. */
        BatchUpsert: {
            /** @description The external id of the listing. */
            external_id: string;
            /** @enum {string} */
            action?: "upsert";
            /** @description Plain text. */
            title?: string | null;
            /** @description Plain text with line breaks. */
            description?: string | null;
            /**
             * @description To change it, send `price` too.
             * @enum {string|null}
             */
            operation?: "sale" | "rent" | "temporary" | null;
            /**
             * @description Any case, with or without accents, on input.
             * @enum {string|null}
             */
            type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Price, or price on request. */
            price?: {
                /** @description At most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description True: price on request, without amount and currency. */
                on_request?: boolean | null;
            } | null;
            /** @description Building fees. */
            expenses?: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number; include the locality. */
            address?: string | null;
            /** @description Where it is. Without coordinates, the service looks up the address. */
            location?: {
                /** @description City or locality. */
                city?: string | null;
                /** @description Province. */
                province?: string | null;
                /** @description Together with `lng`, or not at all. */
                lat?: number | null;
                /** @description Together with `lat`, or not at all. */
                lng?: number | null;
            } | null;
            /** @description On a `Lote` only `total_m2`, `orientation` and `credit_eligible` apply. */
            features?: {
                /** @description Bedrooms. */
                bedrooms?: number | null;
                /** @description Bathrooms. */
                bathrooms?: number | null;
                /** @description Rooms (ambientes). */
                rooms?: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2?: number | null;
                /** @description Covered area. */
                covered_m2?: number | null;
                /** @description Parking places. */
                garages?: number | null;
                /** @description Age in years; 0 is new. */
                age_years?: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition?: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation?: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly?: boolean | null;
                /** @description Comes furnished. */
                furnished?: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible?: boolean | null;
            } | null;
            /** @description Amenities. */
            amenities?: string[] | null;
            /** @description Public https URLs of JPEG, PNG or WebP images; 3 to 50 to publish. In a PATCH: the listing's own photos, in the order wanted. */
            photos?: string[] | null;
            /** @description URL of a video. */
            video_url?: string | null;
            /** @description Up to 3 videos. */
            video_urls?: string[] | null;
            /** @description URL of a virtual tour. */
            virtual_tour_url?: string | null;
            /** @description Rentals only. */
            rental?: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay?: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months?: number | null;
                /** @description Services included in the price. */
                services_included?: string[] | null;
            } | null;
            /**
             * @description On creation: `draft`, the default, or `published`, which publishes the listing at once. Ignored with a warning on an update.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description True keeps the address even if another listing has the same street and number. */
            force_duplicate?: boolean | null;
        };
        /** @description What happened to a listing, by `type`. */
        Change: components["schemas"]["UpsertedChange"] | components["schemas"]["RemovedChange"];
        /** @description What the real request would take from the limits. */
        Cost: {
            /** @description Writes; for a batch, the number of its items. */
            writes: number;
            /** @description Listings that would be created. */
            new_listings: number;
            /** @description Photos that would be downloaded. */
            photos: number;
            /** @description Listings that would be enabled, disabled or deleted. Publishing at creation does not count. */
            state_changes: number;
        };
        FailedPhoto: {
            /** @description As sent. */
            url: string;
            /** @enum {string} */
            status: "failed";
            /** @description Position in the listing, from 0; null if it failed. */
            position: number | null;
            /** @description URL of the stored photo; null if it failed. */
            stored_url: string | null;
            /** @description Why it failed, else null. */
            error: string | null;
        };
        ItemError: {
            /** @description Machine-readable. */
            code: string;
            /** @description For people; it may change. */
            message: string;
            /** @description With `invalid_parameter`, and with other errors of one field or header: its name or path, such as `price.period` or `photos[2]`. */
            parameter?: string;
            /** @description With `invalid_parameter`: every bad parameter, field and list element that one pass finds, 20 at most. The first is `parameter` and `message`. Rules between fields may come after, in a later response. */
            errors?: {
                /** @description Its name or path, as in `error.parameter`. */
                parameter: string;
                /** @description What to send, for people. */
                message: string;
            }[];
            /** @description With `duplicate_property`: the listing that has the address. Null in a dry run, if an earlier item would create that listing. */
            existing_id?: string | null;
            /** @description With `insufficient_photos` and `not_publishable`: everything that publishing still requires. */
            missing?: string[];
            /** @description With errors after a download that failed: the photos that could not be stored, and why. */
            photos?: components["schemas"]["FailedPhoto"][];
            /** @description With `rate_limited`: seconds to wait, as `Retry-After`. */
            retry_after?: number;
            /** @description With `rate_limited`: all exhausted limits, by the names of `GET /me`. */
            limits?: ("reads_per_minute" | "reads_per_day" | "writes_per_minute" | "writes_per_day" | "new_listings_per_hour" | "new_listings_per_day" | "photos_per_day" | "geocoding_per_minute" | "geocoding_per_day" | "state_changes_per_day" | "disables_per_day" | "enables_per_day" | "keyless_per_minute" | "keyless_per_address_per_minute")[];
            /**
             * Format: uri
             * @description Where this service explains the code: cause, remedy and an example.
             */
            docs: string;
        };
        Limit: {
            max: number;
            /** @description Null for a size. */
            window_seconds: number | null;
            /**
             * Format: date-time
             * @description When the default is back, if the operator changed the limit for a while.
             */
            until: string | null;
        };
        PhotoResult: {
            /** @description As sent. */
            url: string;
            /** @enum {string} */
            status: "stored" | "duplicate" | "failed";
            /** @description Position in the listing, from 0; null if it failed. */
            position: number | null;
            /** @description URL of the stored photo; null if it failed. */
            stored_url: string | null;
            /** @description Why it failed, else null. */
            error: string | null;
        };
        /** @description A listing. */
        Property: {
            /** @description Public code of the listing. */
            id: string;
            /** @description The id of the listing in the agency's own system. */
            external_id: string | null;
            /**
             * @description Read-only keys see `published` ones only.
             * @enum {string}
             */
            status: "draft" | "published" | "disabled";
            /**
             * Format: uri
             * @description Public page of the listing.
             */
            url: string;
            /** @description Plain text, as the agency wrote it. */
            title: string | null;
            /** @description Plain text with line breaks, as the agency wrote it. */
            description: string | null;
            /**
             * @description What is offered.
             * @enum {string|null}
             */
            operation: "sale" | "rent" | "temporary" | null;
            /**
             * @description Kind of property.
             * @enum {string|null}
             */
            type: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Always an object; `period` on rentals only. */
            price: {
                /** @description At most 2 decimals; needs `currency`. */
                amount: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency: "USD" | "ARS" | null;
                on_request: boolean;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
            };
            /** @description Building fees. */
            expenses: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number as the agency sent it. */
            address: string | null;
            /** @description Where it is; coordinates may be null. */
            location: {
                /** @description City or locality. */
                city: string | null;
                /** @description Province. */
                province: string | null;
                /** @description Together with `lng`, or not at all. */
                lat: number | null;
                /** @description Together with `lat`, or not at all. */
                lng: number | null;
                /** @description Reserved; always null. */
                neighborhood: string | null;
            };
            /**
             * @description How the coordinates were found. Null without an address, and in a dry run with one that has yet to be looked up. Comes with `location` when `fields` is used.
             * @enum {string|null}
             */
            location_status: "resolved" | "approximate" | "manual" | "unresolved" | null;
            /** @description Null where unknown or not applicable. */
            features: {
                /** @description Bedrooms. */
                bedrooms: number | null;
                /** @description Bathrooms. */
                bathrooms: number | null;
                /** @description Rooms (ambientes). */
                rooms: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2: number | null;
                /** @description Covered area. */
                covered_m2: number | null;
                /** @description Parking places. */
                garages: number | null;
                /** @description Age in years; 0 is new. */
                age_years: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly: boolean | null;
                /** @description Comes furnished. */
                furnished: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible: boolean | null;
            };
            /** @description May be empty. */
            amenities: string[];
            /** @description In order; the first is the cover. */
            photos: string[];
            /** @description URL of a video. */
            video_url: string | null;
            /** @description Up to 3 videos. */
            video_urls: string[];
            /** @description URL of a virtual tour. */
            virtual_tour_url: string | null;
            /** @description Rentals only. */
            rental: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months: number | null;
                services_included: string[];
            } | null;
            /** @description Whether the listing is reserved. */
            reserved: boolean;
            /** @description The agency that offers it. */
            agency: {
                name: string;
                slug: string;
                /**
                 * Format: uri
                 * @description Public profile.
                 */
                url: string;
            };
            /**
             * Format: date-time
             * @description When it was last published.
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string | null;
            /** @description What publishing still needs, as `error.missing` names it; empty when nothing. Publishing also needs at most 50 photos, which no listing exceeds. */
            missing: string[];
        };
        /** @description The parts of a listing that `fields` named. `id` always comes, and `location_status` with `location`. */
        PropertyFields: {
            /** @description Public code of the listing. */
            id: string;
            /** @description The id of the listing in the agency's own system. */
            external_id?: string | null;
            /**
             * @description Read-only keys see `published` ones only.
             * @enum {string}
             */
            status?: "draft" | "published" | "disabled";
            /**
             * Format: uri
             * @description Public page of the listing.
             */
            url?: string;
            /** @description Plain text, as the agency wrote it. */
            title?: string | null;
            /** @description Plain text with line breaks, as the agency wrote it. */
            description?: string | null;
            /**
             * @description What is offered.
             * @enum {string|null}
             */
            operation?: "sale" | "rent" | "temporary" | null;
            /**
             * @description Kind of property.
             * @enum {string|null}
             */
            type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Always an object; `period` on rentals only. */
            price?: {
                /** @description At most 2 decimals; needs `currency`. */
                amount: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency: "USD" | "ARS" | null;
                on_request: boolean;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
            };
            /** @description Building fees. */
            expenses?: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number as the agency sent it. */
            address?: string | null;
            /** @description Where it is; coordinates may be null. */
            location?: {
                /** @description City or locality. */
                city: string | null;
                /** @description Province. */
                province: string | null;
                /** @description Together with `lng`, or not at all. */
                lat: number | null;
                /** @description Together with `lat`, or not at all. */
                lng: number | null;
                /** @description Reserved; always null. */
                neighborhood: string | null;
            };
            /**
             * @description How the coordinates were found. Null without an address, and in a dry run with one that has yet to be looked up. Comes with `location` when `fields` is used.
             * @enum {string|null}
             */
            location_status?: "resolved" | "approximate" | "manual" | "unresolved" | null;
            /** @description Null where unknown or not applicable. */
            features?: {
                /** @description Bedrooms. */
                bedrooms: number | null;
                /** @description Bathrooms. */
                bathrooms: number | null;
                /** @description Rooms (ambientes). */
                rooms: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2: number | null;
                /** @description Covered area. */
                covered_m2: number | null;
                /** @description Parking places. */
                garages: number | null;
                /** @description Age in years; 0 is new. */
                age_years: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly: boolean | null;
                /** @description Comes furnished. */
                furnished: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible: boolean | null;
            };
            /** @description May be empty. */
            amenities?: string[];
            /** @description In order; the first is the cover. */
            photos?: string[];
            /** @description URL of a video. */
            video_url?: string | null;
            /** @description Up to 3 videos. */
            video_urls?: string[];
            /** @description URL of a virtual tour. */
            virtual_tour_url?: string | null;
            /** @description Rentals only. */
            rental?: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months: number | null;
                services_included: string[];
            } | null;
            /** @description Whether the listing is reserved. */
            reserved?: boolean;
            /** @description The agency that offers it. */
            agency?: {
                name: string;
                slug: string;
                /**
                 * Format: uri
                 * @description Public profile.
                 */
                url: string;
            };
            /**
             * Format: date-time
             * @description When it was last published.
             */
            published_at?: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at?: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at?: string | null;
            /** @description What publishing still needs, as `error.missing` names it; empty when nothing. Publishing also needs at most 50 photos, which no listing exceeds. */
            missing?: string[];
        };
        PropertyInput: {
            /** @description The id of the listing in your own system. */
            external_id?: string | null;
            /** @description Plain text. */
            title?: string | null;
            /** @description Plain text with line breaks. */
            description?: string | null;
            /**
             * @description To change it, send `price` too.
             * @enum {string|null}
             */
            operation?: "sale" | "rent" | "temporary" | null;
            /**
             * @description Any case, with or without accents, on input.
             * @enum {string|null}
             */
            type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Price, or price on request. */
            price?: {
                /** @description At most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description True: price on request, without amount and currency. */
                on_request?: boolean | null;
            } | null;
            /** @description Building fees. */
            expenses?: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number; include the locality. */
            address?: string | null;
            /** @description Where it is. Without coordinates, the service looks up the address. */
            location?: {
                /** @description City or locality. */
                city?: string | null;
                /** @description Province. */
                province?: string | null;
                /** @description Together with `lng`, or not at all. */
                lat?: number | null;
                /** @description Together with `lat`, or not at all. */
                lng?: number | null;
            } | null;
            /** @description On a `Lote` only `total_m2`, `orientation` and `credit_eligible` apply. */
            features?: {
                /** @description Bedrooms. */
                bedrooms?: number | null;
                /** @description Bathrooms. */
                bathrooms?: number | null;
                /** @description Rooms (ambientes). */
                rooms?: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2?: number | null;
                /** @description Covered area. */
                covered_m2?: number | null;
                /** @description Parking places. */
                garages?: number | null;
                /** @description Age in years; 0 is new. */
                age_years?: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition?: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation?: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly?: boolean | null;
                /** @description Comes furnished. */
                furnished?: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible?: boolean | null;
            } | null;
            /** @description Amenities. */
            amenities?: string[] | null;
            /** @description Public https URLs of JPEG, PNG or WebP images; 3 to 50 to publish. In a PATCH: the listing's own photos, in the order wanted. */
            photos?: string[] | null;
            /** @description URL of a video. */
            video_url?: string | null;
            /** @description Up to 3 videos. */
            video_urls?: string[] | null;
            /** @description URL of a virtual tour. */
            virtual_tour_url?: string | null;
            /** @description Rentals only. */
            rental?: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay?: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months?: number | null;
                /** @description Services included in the price. */
                services_included?: string[] | null;
            } | null;
            /**
             * @description On creation: `draft`, the default, or `published`, which publishes the listing at once. Ignored with a warning on an update.
             * @enum {string|null}
             */
            status?: "draft" | "published" | null;
            /** @description True keeps the address even if another listing has the same street and number. */
            force_duplicate?: boolean | null;
        };
        PropertyPatch: {
            /** @description The id of the listing in your own system. */
            external_id?: string | null;
            /** @description Plain text. */
            title?: string | null;
            /** @description Plain text with line breaks. */
            description?: string | null;
            /**
             * @description To change it, send `price` too.
             * @enum {string|null}
             */
            operation?: "sale" | "rent" | "temporary" | null;
            /**
             * @description Any case, with or without accents, on input.
             * @enum {string|null}
             */
            type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Price, or price on request. */
            price?: {
                /** @description At most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description True: price on request, without amount and currency. */
                on_request?: boolean | null;
            } | null;
            /** @description Building fees. */
            expenses?: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount?: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency?: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number; include the locality. */
            address?: string | null;
            /** @description Where it is. Without coordinates, the service looks up the address. */
            location?: {
                /** @description City or locality. */
                city?: string | null;
                /** @description Province. */
                province?: string | null;
                /** @description Together with `lng`, or not at all. */
                lat?: number | null;
                /** @description Together with `lat`, or not at all. */
                lng?: number | null;
            } | null;
            /** @description On a `Lote` only `total_m2`, `orientation` and `credit_eligible` apply. */
            features?: {
                /** @description Bedrooms. */
                bedrooms?: number | null;
                /** @description Bathrooms. */
                bathrooms?: number | null;
                /** @description Rooms (ambientes). */
                rooms?: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2?: number | null;
                /** @description Covered area. */
                covered_m2?: number | null;
                /** @description Parking places. */
                garages?: number | null;
                /** @description Age in years; 0 is new. */
                age_years?: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition?: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation?: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly?: boolean | null;
                /** @description Comes furnished. */
                furnished?: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible?: boolean | null;
            } | null;
            /** @description Amenities. */
            amenities?: string[] | null;
            /** @description Public https URLs of JPEG, PNG or WebP images; 3 to 50 to publish. In a PATCH: the listing's own photos, in the order wanted. */
            photos?: string[] | null;
            /** @description URL of a video. */
            video_url?: string | null;
            /** @description Up to 3 videos. */
            video_urls?: string[] | null;
            /** @description URL of a virtual tour. */
            virtual_tour_url?: string | null;
            /** @description Rentals only. */
            rental?: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay?: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months?: number | null;
                /** @description Services included in the price. */
                services_included?: string[] | null;
            } | null;
            /** @description True keeps the address even if another listing has the same street and number. */
            force_duplicate?: boolean | null;
        };
        /** @description Delete the listing from your copy, if it is there. */
        RemovedChange: {
            /** @description Public code of the listing. */
            id: string;
            /** @description The id of the listing in the agency's own system; of a removed one, the last it had. */
            external_id: string | null;
            /**
             * @description The listing is gone, as far as this key can see.
             * @enum {string}
             */
            type: "removed";
            /**
             * @description `unpublished` only for keys without `properties:write`: the listing is no longer published.
             * @enum {string}
             */
            reason: "deleted" | "unpublished";
            /**
             * Format: date-time
             * @description When it changed.
             */
            changed_at: string;
            property: null;
        };
        /** @description Whether the limits have room for the real request now. Costs of several dry runs are not added up. */
        Room: {
            /** @description Whether every limit has room for this cost. */
            ok: boolean;
            /** @description The limits without room, as `/me` names them. */
            limits: string[];
            /** @description Seconds until all of them have reset; null if there is room. */
            retry_after: number | null;
        };
        SetPhotoResult: {
            /** @description As sent. */
            url: string;
            /** @enum {string} */
            status: "stored" | "kept" | "duplicate" | "failed";
            /** @description Position in the listing, from 0; null if it failed. */
            position: number | null;
            /** @description URL of the stored photo; null if it failed. */
            stored_url: string | null;
            /** @description Why it failed, else null. */
            error: string | null;
        };
        TriedBatchResult: {
            index: number;
            external_id: string | null;
            action: string | null;
            /** @description The HTTP status that this item alone would have had. */
            status: number;
            data?: components["schemas"]["TriedProperty"] | {
                id: string | null;
                external_id: string | null;
                /** @constant */
                deleted: true;
                /** Format: date-time */
                deleted_at: string;
            };
            error?: components["schemas"]["ItemError"];
            /** @description What was ignored or needs attention; empty when nothing does. */
            warnings: components["schemas"]["Warning"][];
        };
        /** @description A listing as a dry run shows it. */
        TriedProperty: {
            /** @description Null for a listing that would be created: it has none yet. */
            id: string | null;
            /** @description The id of the listing in the agency's own system. */
            external_id: string | null;
            /**
             * @description Read-only keys see `published` ones only.
             * @enum {string}
             */
            status: "draft" | "published" | "disabled";
            /**
             * Format: uri
             * @description Null for a listing that would be created: it has none yet.
             */
            url: string | null;
            /** @description Plain text, as the agency wrote it. */
            title: string | null;
            /** @description Plain text with line breaks, as the agency wrote it. */
            description: string | null;
            /**
             * @description What is offered.
             * @enum {string|null}
             */
            operation: "sale" | "rent" | "temporary" | null;
            /**
             * @description Kind of property.
             * @enum {string|null}
             */
            type: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel" | null;
            /** @description Always an object; `period` on rentals only. */
            price: {
                /** @description At most 2 decimals; needs `currency`. */
                amount: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency: "USD" | "ARS" | null;
                on_request: boolean;
                /**
                 * @description Rentals only: what the amount pays for. `rent` defaults to `month`; `temporary` needs it to be published.
                 * @enum {string|null}
                 */
                period?: "month" | "week" | "night" | null;
            };
            /** @description Building fees. */
            expenses: {
                /** @description With at most 2 decimals; needs `currency`. */
                amount: number | null;
                /**
                 * @description Currency of `amount`.
                 * @enum {string|null}
                 */
                currency: "USD" | "ARS" | null;
            } | null;
            /** @description Street and number as the agency sent it. */
            address: string | null;
            /** @description Where it is; coordinates may be null. */
            location: {
                /** @description City or locality. */
                city: string | null;
                /** @description Province. */
                province: string | null;
                /** @description Together with `lng`, or not at all. */
                lat: number | null;
                /** @description Together with `lat`, or not at all. */
                lng: number | null;
                /** @description Reserved; always null. */
                neighborhood: string | null;
            };
            /**
             * @description How the coordinates were found. Null without an address, and in a dry run with one that has yet to be looked up. Comes with `location` when `fields` is used.
             * @enum {string|null}
             */
            location_status: "resolved" | "approximate" | "manual" | "unresolved" | null;
            /** @description Null where unknown or not applicable. */
            features: {
                /** @description Bedrooms. */
                bedrooms: number | null;
                /** @description Bathrooms. */
                bathrooms: number | null;
                /** @description Rooms (ambientes). */
                rooms: number | null;
                /** @description Total area; on a lot, the land. */
                total_m2: number | null;
                /** @description Covered area. */
                covered_m2: number | null;
                /** @description Parking places. */
                garages: number | null;
                /** @description Age in years; 0 is new. */
                age_years: number | null;
                /**
                 * @description Disposition in the building; any case, with or without accents, on input.
                 * @enum {string|null}
                 */
                disposition: "Frente" | "Contrafrente" | "Interno" | "Lateral" | null;
                /**
                 * @description Compass orientation; any case on input.
                 * @enum {string|null}
                 */
                orientation: "N" | "S" | "E" | "O" | "NE" | "NO" | "SE" | "SO" | null;
                /** @description Pets are welcome. */
                pet_friendly: boolean | null;
                /** @description Comes furnished. */
                furnished: boolean | null;
                /** @description Eligible for a mortgage loan. */
                credit_eligible: boolean | null;
            };
            /** @description May be empty. */
            amenities: string[];
            /** @description In order; the first is the cover. */
            photos: string[];
            /** @description URL of a video. */
            video_url: string | null;
            /** @description Up to 3 videos. */
            video_urls: string[];
            /** @description URL of a virtual tour. */
            virtual_tour_url: string | null;
            /** @description Rentals only. */
            rental: {
                /**
                 * @description Equal to `price.period`.
                 * @enum {string|null}
                 */
                period: "month" | "week" | "night" | null;
                /** @description Minimum stay, in nights. */
                min_stay: number | null;
                /** @description Minimum lease, in months. */
                min_lease_months: number | null;
                services_included: string[];
            } | null;
            /** @description Whether the listing is reserved. */
            reserved: boolean;
            /** @description The agency that offers it. */
            agency: {
                name: string;
                slug: string;
                /**
                 * Format: uri
                 * @description Public profile.
                 */
                url: string;
            };
            /**
             * Format: date-time
             * @description When it was last published.
             */
            published_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string | null;
            /** @description What publishing still needs, as `error.missing` names it; empty when nothing. Publishing also needs at most 50 photos, which no listing exceeds. */
            missing: string[];
        };
        /** @description Store the listing in your copy, replacing what was there. */
        UpsertedChange: {
            /** @description Public code of the listing. */
            id: string;
            /** @description The id of the listing in the agency's own system; of a removed one, the last it had. */
            external_id: string | null;
            /**
             * @description The listing is new or has changed.
             * @enum {string}
             */
            type: "upserted";
            reason: null;
            /**
             * Format: date-time
             * @description When it changed.
             */
            changed_at: string;
            property: components["schemas"]["Property"] | components["schemas"]["PropertyFields"];
        };
        Usage: {
            used: number;
            remaining: number;
            /** Format: date-time */
            resets_at: string;
        };
        Warning: {
            code: string;
            message: string;
            parameter?: string;
        };
        /** @description What went wrong. Decide on the HTTP status, and use `code` for logic. */
        ApiError: {
            /** @description Machine-readable. */
            code: string;
            /** @description For people; it may change. */
            message: string;
            /**
             * Format: uuid
             * @description The same as `X-Request-Id`.
             */
            request_id: string;
            /** @description With `invalid_parameter`, and with other errors of one field or header: its name or path, such as `price.period` or `photos[2]`. */
            parameter?: string;
            /** @description With `invalid_parameter`: every bad parameter, field and list element that one pass finds, 20 at most. The first is `parameter` and `message`. Rules between fields may come after, in a later response. */
            errors?: {
                /** @description Its name or path, as in `error.parameter`. */
                parameter: string;
                /** @description What to send, for people. */
                message: string;
            }[];
            /** @description With `duplicate_property`: the listing that has the address. */
            existing_id?: string;
            /** @description With `insufficient_photos` and `not_publishable`: everything that publishing still requires. */
            missing?: string[];
            /** @description Wherever a download failed (`photo_ingest_failed`, `insufficient_photos`, `service_unavailable`): the photos that failed, as in the response of `POST /properties/{id}/photos`. The `Idempotency-Key` may be used again then. */
            photos?: {
                url: string;
                /** @constant */
                status: "failed";
                position: null;
                stored_url: null;
                /** @description Why. */
                error: string | null;
            }[];
            /** @description With `rate_limited`: seconds to wait, as `Retry-After`. */
            retry_after?: number;
            /** @description With `rate_limited`: all exhausted limits, by the names of `GET /me`. */
            limits?: ("reads_per_minute" | "reads_per_day" | "writes_per_minute" | "writes_per_day" | "new_listings_per_hour" | "new_listings_per_day" | "photos_per_day" | "geocoding_per_minute" | "geocoding_per_day" | "state_changes_per_day" | "disables_per_day" | "enables_per_day" | "keyless_per_minute" | "keyless_per_address_per_minute")[];
            /**
             * Format: uri
             * @description Where this service explains the code: cause, remedy and an example.
             */
            docs: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getRoot: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service and its main links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        name: string;
                        version: string;
                        status: string;
                        notice: string;
                        /** Format: uri */
                        docs: string;
                        /** Format: uri */
                        openapi: string;
                        /** Format: uri */
                        health: string;
                        /** Format: uri */
                        terms: string;
                        /** Format: uri */
                        security: string;
                    };
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service answers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                        /** @constant */
                        version: "1";
                        notice?: string;
                    };
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document, OpenAPI 3.1. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    };
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key, its agency, the limits in force and their usage. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            agency: {
                                id: string;
                                name: string;
                                slug: string;
                                /** Format: uri */
                                url: string;
                                /** @enum {string} */
                                status: "active" | "inactive";
                                /** @description Whether it is the test environment of an agency. */
                                test: boolean;
                            };
                            key: {
                                id: string;
                                name: string;
                                prefix: string;
                                /** @description Whether it is a test key. */
                                test: boolean;
                                scopes: string[];
                                /** Format: date-time */
                                created_at: string;
                                /** Format: date-time */
                                expires_at: string | null;
                                signature_required: boolean;
                                allowed_origins: string[];
                            };
                            /** @description The limits in force, and the sizes of requests. */
                            limits: {
                                reads_per_minute: components["schemas"]["Limit"];
                                reads_per_day: components["schemas"]["Limit"];
                                writes_per_minute: components["schemas"]["Limit"];
                                writes_per_day: components["schemas"]["Limit"];
                                new_listings_per_hour: components["schemas"]["Limit"];
                                new_listings_per_day: components["schemas"]["Limit"];
                                photos_per_day: components["schemas"]["Limit"];
                                geocoding_per_minute: components["schemas"]["Limit"];
                                geocoding_per_day: components["schemas"]["Limit"];
                                state_changes_per_day: components["schemas"]["Limit"];
                                disables_per_day: components["schemas"]["Limit"];
                                enables_per_day: components["schemas"]["Limit"];
                                body_bytes: components["schemas"]["Limit"];
                                batch_body_bytes: components["schemas"]["Limit"];
                                batch_items: components["schemas"]["Limit"];
                                batch_photos: components["schemas"]["Limit"];
                                photos_per_listing: components["schemas"]["Limit"];
                                photos_to_publish: components["schemas"]["Limit"];
                                photo_bytes: components["schemas"]["Limit"];
                                videos_per_listing: components["schemas"]["Limit"];
                                page: components["schemas"]["Limit"];
                                per_page: components["schemas"]["Limit"];
                                allowed_origins: components["schemas"]["Limit"];
                            };
                            /** @description The usage of the limits counted for the key and its agency. */
                            usage: {
                                reads_per_minute: components["schemas"]["Usage"];
                                reads_per_day: components["schemas"]["Usage"];
                                writes_per_minute: components["schemas"]["Usage"];
                                writes_per_day: components["schemas"]["Usage"];
                                new_listings_per_hour: components["schemas"]["Usage"];
                                new_listings_per_day: components["schemas"]["Usage"];
                                photos_per_day: components["schemas"]["Usage"];
                                geocoding_per_minute: components["schemas"]["Usage"];
                                geocoding_per_day: components["schemas"]["Usage"];
                            };
                        };
                    };
                };
            };
        };
    };
    listProperties: {
        parameters: {
            query?: {
                /** @description Kind of operation. */
                operation?: "sale" | "rent" | "temporary";
                /** @description Any case, with or without accents, of: Casa, Departamento, PH, Lote, Local, Oficina, Cochera, Galpón, Finca, Quinta, Emprendimiento, Fondo de Comercio, Consultorio, Edificio, Hotel. */
                type?: "Casa" | "Departamento" | "PH" | "Lote" | "Local" | "Oficina" | "Cochera" | "Galpón" | "Finca" | "Quinta" | "Emprendimiento" | "Fondo de Comercio" | "Consultorio" | "Edificio" | "Hotel";
                /** @description Part of the city; any case, with or without accents. */
                city?: string;
                /** @description Part of the title, address or city. */
                neighborhood?: string;
                /** @description Lowest price, inclusive; needs `currency`. */
                min_price?: number;
                /** @description Highest price, inclusive; needs `currency`. */
                max_price?: number;
                /** @description Required with `min_price` or `max_price`. */
                currency?: "USD" | "ARS";
                /** @description Bedrooms, at least. */
                bedrooms?: number;
                /** @description Bathrooms, at least. */
                bathrooms?: number;
                /** @description Smallest main area: covered; for lots, the land. */
                min_m2?: number;
                /** @description Largest main area. */
                max_m2?: number;
                /** @description Words that must all occur in title, address or city. Letters, digits, space, dot, apostrophe, slash and hyphen count. */
                q?: string;
                /** @description Changed at this time or later. ISO 8601; without a zone UTC is assumed. To miss nothing, use `GET /changes`. */
                updated_since?: string;
                /** @description Default `published`; the others need the scope `properties:write`. */
                status?: "draft" | "published" | "disabled" | "all";
                /** @description Only the listing with this external id. */
                external_id?: string;
                /** @description Default `recent`. `recent` and `updated` are newest first; by price, listings without an amount come last. */
                sort?: "recent" | "price_asc" | "price_desc" | "updated";
                /** @description Page, from 1, which is the default. Each page shows the state when it is read. */
                page?: number;
                /** @description Listings a page; 20 by default. */
                per_page?: number;
                /** @description Comma-separated names of fields; `id` is always included. One or more of: id, external_id, status, url, title, description, operation, type, price, expenses, address, location, features, amenities, photos, video_url, video_urls, virtual_tour_url, rental, reserved, agency, published_at, created_at, updated_at, missing. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of listings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: (components["schemas"]["Property"] | components["schemas"]["PropertyFields"])[];
                        meta: {
                            page: number;
                            per_page: number;
                            total: number;
                            total_pages: number;
                        };
                        links: {
                            /** Format: uri */
                            self: string;
                            /** Format: uri */
                            next: string | null;
                            /** Format: uri */
                            prev: string | null;
                        };
                    };
                };
            };
        };
    };
    createProperty: {
        parameters: {
            query?: {
                /** @description With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyInput"];
            };
        };
        responses: {
            /** @description Created. `photos` has a result for each URL sent in `photos`; it is absent if there was none. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description A result for each URL, in the order sent. */
                        photos?: components["schemas"]["PhotoResult"][];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        data: components["schemas"]["TriedProperty"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
        };
    };
    batchProperties: {
        parameters: {
            query?: {
                /** @description With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write. */
                dry_run?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 50 items, with up to 30 photos in total. */
                    items: components["schemas"]["BatchItem"][];
                };
            };
        };
        responses: {
            /** @description One result for each item, in the same order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        results: components["schemas"]["BatchResult"][];
                        meta: {
                            total: number;
                            succeeded: number;
                            failed: number;
                        };
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        results: components["schemas"]["TriedBatchResult"][];
                        meta: {
                            total: number;
                            succeeded: number;
                            failed: number;
                        };
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
        };
    };
    getPropertyByExternalId: {
        parameters: {
            query?: {
                /** @description Comma-separated names of fields; `id` is always included. One or more of: id, external_id, status, url, title, description, operation, type, price, expenses, address, location, features, amenities, photos, video_url, video_urls, virtual_tour_url, rental, reserved, agency, published_at, created_at, updated_at, missing. */
                fields?: string;
            };
            header?: never;
            path: {
                /** @description The id of the listing in your own system. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The listing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"] | components["schemas"]["PropertyFields"];
                    };
                };
            };
        };
    };
    putProperty: {
        parameters: {
            query?: {
                /** @description With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description The id of the listing in your own system. */
                external_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyInput"];
            };
        };
        responses: {
            /** @description Updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
            /** @description Created. `photos` has a result for each URL sent in `photos`; it is absent if there was none. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description A result for each URL, in the order sent. */
                        photos?: components["schemas"]["PhotoResult"][];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        data: components["schemas"]["TriedProperty"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
        };
    };
    getProperty: {
        parameters: {
            query?: {
                /** @description Comma-separated names of fields; `id` is always included. One or more of: id, external_id, status, url, title, description, operation, type, price, expenses, address, location, features, amenities, photos, video_url, video_urls, virtual_tour_url, rental, reserved, agency, published_at, created_at, updated_at, missing. */
                fields?: string;
            };
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The listing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"] | components["schemas"]["PropertyFields"];
                    };
                };
            };
        };
    };
    deleteProperty: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: string;
                            external_id: string | null;
                            /** @constant */
                            deleted: true;
                            /** Format: date-time */
                            deleted_at: string;
                        };
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                    };
                };
            };
        };
    };
    patchProperty: {
        parameters: {
            query?: {
                /** @description With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PropertyPatch"];
            };
        };
        responses: {
            /** @description Updated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
        };
    };
    disableProperty: {
        parameters: {
            query?: {
                /** @description With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Why it is disabled.
                     * @enum {string|null}
                     */
                    reason?: "sold" | "rented" | "sold_by_us" | "sold_by_other" | "contract_ended" | "suspended" | "price_change" | "other" | null;
                    /** @description The real price, a number in the currency of the listing or with its own; at most 2 decimals. With `sold` or `rented` only. */
                    close_price?: number | {
                        amount: number;
                        /** @enum {string} */
                        currency: "USD" | "ARS";
                    } | null;
                    /** @description A date, or a date and time, in ISO 8601; UTC without a zone; now if left out. With `sold` or `rented` only. */
                    closed_at?: string | null;
                };
            };
        };
        responses: {
            /** @description Disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
        };
    };
    enableProperty: {
        parameters: {
            query?: {
                /** @description With `true` nothing is stored, downloaded, looked up or notified. The response is that of the real request, with `dry_run`, `cost` and `room`. Needs no Idempotency-Key and counts as one write. */
                dry_run?: boolean;
            };
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Published. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Never sent: only dry runs have it, as `true`.
                         * @constant
                         */
                        dry_run?: false;
                    } | {
                        data: components["schemas"]["Property"];
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                        /**
                         * @description Nothing was stored.
                         * @constant
                         */
                        dry_run: true;
                        cost: components["schemas"]["Cost"];
                        room: components["schemas"]["Room"];
                    };
                };
            };
        };
    };
    setPhotos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Up to 50 URLs, each once: the listing's own photos, sources they came from, or other public https URLs. `[]` removes all photos. */
                    urls: string[];
                    /** @description Download known sources again: a picture that has changed replaces the old one. False if null or absent. */
                    refresh?: boolean | null;
                };
            };
        };
        responses: {
            /** @description A result for each URL, and the listing as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description A result for each URL, in the order sent. */
                        photos: components["schemas"]["SetPhotoResult"][];
                        meta: {
                            requested: number;
                            stored: number;
                            kept: number;
                            duplicate: number;
                            failed: number;
                            /** @description Photos that the listing no longer has. */
                            removed: number;
                        };
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                    };
                };
            };
        };
    };
    addPhotos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Public code or uuid of the listing. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Public https URLs, 1 to 50. */
                    urls: string[];
                };
            };
        };
        responses: {
            /** @description A result for each URL, and the listing as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Property"];
                        /** @description A result for each URL, in the order sent. */
                        photos: components["schemas"]["PhotoResult"][];
                        meta: {
                            requested: number;
                            stored: number;
                            duplicate: number;
                            failed: number;
                        };
                        /** @description What was ignored or needs attention; empty when nothing does. */
                        warnings: components["schemas"]["Warning"][];
                    };
                };
            };
        };
    };
    geocode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Street and number. */
                    address: string;
                    /** @description City or locality. */
                    city?: string | null;
                    /** @description Province. */
                    province?: string | null;
                };
            };
        };
        responses: {
            /** @description The parsed address, its location, and whether it is already listed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The normalized address. */
                            address: string;
                            /** @description Null if it could not be parsed. */
                            street: string | null;
                            /** @description Null if there is no number; such an address is never a duplicate. */
                            number: string | null;
                            /** @description City. */
                            city: string | null;
                            /** @description Province. */
                            province: string | null;
                            lat: number | null;
                            lng: number | null;
                            /** @enum {string} */
                            location_status: "resolved" | "approximate" | "manual" | "unresolved";
                            /** @description Whether a listing of the agency has the same street and number. */
                            duplicate: boolean;
                            /** @description The id of that listing. */
                            existing_id: string | null;
                        };
                    };
                };
            };
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description The `next_cursor` of the previous page. Leave it out to start from the beginning. */
                cursor?: string;
                /** @description Changes per page; 100 by default. */
                limit?: number;
                /** @description Comma-separated names of fields; `id` is always included. One or more of: id, external_id, status, url, title, description, operation, type, price, expenses, address, location, features, amenities, photos, video_url, video_urls, virtual_tour_url, rental, reserved, agency, published_at, created_at, updated_at, missing. */
                fields?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next changes, the earliest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Change"][];
                        /** @description Store it together with what you read. Always given, also on an empty page; it never expires. */
                        next_cursor: string;
                        /** @description Whether there are more changes now. */
                        has_more: boolean;
                        links: {
                            /** Format: uri */
                            self: string;
                            /** Format: uri */
                            next: string | null;
                            prev: null;
                        };
                    };
                };
            };
        };
    };
}
