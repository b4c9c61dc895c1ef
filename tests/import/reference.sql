-- The tables of TastyIgniter (MIT) with its columns and types, and rows of our own.
CREATE TABLE ti_categories (
  category_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  description TEXT NULL,
  parent_id INT NULL,
  priority INT NOT NULL DEFAULT 0,
  status TINYINT(1) NOT NULL DEFAULT 1,
  nest_left INT NULL,
  nest_right INT NULL,
  permalink_slug VARCHAR(255) NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_igniter_coupons (
  coupon_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  code VARCHAR(255) NOT NULL UNIQUE,
  type ENUM('F','P') NOT NULL,
  discount DECIMAL(15,4) NULL,
  min_total DECIMAL(15,4) NULL,
  redemptions INT NOT NULL DEFAULT 0,
  customer_redemptions INT NOT NULL DEFAULT 0,
  description TEXT NULL,
  status TINYINT(1) NULL,
  created_at DATETIME NOT NULL,
  validity ENUM('forever','fixed','period','recurring') NULL,
  fixed_date DATE NULL,
  fixed_from_time TIME NULL,
  fixed_to_time TIME NULL,
  period_start_date DATE NULL,
  period_end_date DATE NULL,
  recurring_every VARCHAR(35) NULL,
  recurring_from_time TIME NULL,
  recurring_to_time TIME NULL,
  order_restriction JSON NULL,
  auto_apply TINYINT(1) NOT NULL DEFAULT 0,
  updated_at DATETIME NULL,
  apply_coupon_on ENUM('whole_cart','menu_items','delivery_fee') NOT NULL DEFAULT 'whole_cart',
  min_menu_quantity INT NOT NULL DEFAULT 0
);
CREATE TABLE ti_customers (
  customer_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(96) NOT NULL UNIQUE,
  password VARCHAR(255) NULL,
  telephone VARCHAR(32) NULL,
  address_id INT NULL,
  newsletter TINYINT(1) NULL,
  customer_group_id INT NOT NULL,
  ip_address VARCHAR(40) NULL,
  created_at DATETIME NOT NULL,
  status TINYINT(1) NOT NULL,
  reset_code VARCHAR(255) NULL,
  reset_time DATETIME NULL,
  activation_code VARCHAR(255) NULL,
  remember_token VARCHAR(255) NULL,
  is_activated TINYINT(1) NULL,
  activated_at DATETIME NULL,
  last_login DATETIME NULL,
  last_seen DATETIME NULL,
  updated_at DATETIME NOT NULL,
  invited_at DATETIME NULL,
  last_location_area TEXT NOT NULL DEFAULT ('')
);
CREATE TABLE ti_locations (
  location_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_name VARCHAR(255) NOT NULL,
  location_email VARCHAR(96) NOT NULL,
  description TEXT NULL,
  location_address_1 VARCHAR(255) NULL,
  location_address_2 VARCHAR(255) NULL,
  location_city VARCHAR(255) NULL,
  location_state VARCHAR(255) NULL,
  location_postcode VARCHAR(10) NULL,
  location_country_id INT NULL,
  location_telephone TEXT NULL,
  location_lat DECIMAL(10,6) NULL,
  location_lng DECIMAL(10,6) NULL,
  location_radius INT NULL,
  location_status TINYINT(1) NULL,
  permalink_slug VARCHAR(255) NULL,
  is_default TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL,
  is_auto_lat_lng TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ti_menus (
  menu_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  menu_name VARCHAR(255) NOT NULL,
  menu_description TEXT NULL,
  menu_price DECIMAL(15,4) NOT NULL,
  minimum_qty INT NOT NULL DEFAULT 0,
  menu_status TINYINT(1) NOT NULL,
  menu_priority INT NOT NULL DEFAULT 0,
  order_restriction JSON NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_orders (
  order_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id INT NULL,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(96) NOT NULL,
  telephone VARCHAR(255) NOT NULL,
  location_id INT NOT NULL,
  address_id INT NULL,
  cart TEXT NOT NULL,
  total_items INT NOT NULL,
  comment TEXT NULL,
  payment VARCHAR(255) NOT NULL,
  order_type VARCHAR(255) NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  order_time TIME NOT NULL,
  order_date DATE NOT NULL,
  order_total DECIMAL(15,4) NULL,
  status_id INT NOT NULL DEFAULT 0,
  ip_address VARCHAR(40) NOT NULL,
  user_agent VARCHAR(255) NOT NULL,
  assignee_id INT NULL,
  invoice_prefix VARCHAR(255) NULL,
  invoice_date DATETIME NULL,
  hash VARCHAR(40) NULL,
  processed TINYINT(1) NULL,
  status_updated_at DATETIME NULL,
  assignee_updated_at DATETIME NULL,
  assignee_group_id INT NULL,
  order_time_is_asap TINYINT(1) NOT NULL DEFAULT 0,
  delivery_comment TEXT NULL
);
CREATE TABLE ti_reservations (
  reservation_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id INT NOT NULL,
  table_id INT NOT NULL DEFAULT 0,
  guest_num INT NOT NULL,
  occasion_id INT NULL,
  customer_id INT NULL,
  first_name VARCHAR(255) NOT NULL,
  last_name VARCHAR(255) NOT NULL,
  email VARCHAR(96) NOT NULL,
  telephone VARCHAR(40) NULL,
  comment TEXT NULL,
  reserve_time TIME NOT NULL,
  reserve_date DATE NOT NULL,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL,
  assignee_id INT NULL,
  notify TINYINT(1) NULL,
  ip_address VARCHAR(40) NOT NULL,
  user_agent VARCHAR(255) NOT NULL,
  status_id BIGINT UNSIGNED NULL DEFAULT 0,
  hash VARCHAR(40) NULL,
  duration INT NULL,
  processed TINYINT(1) NULL,
  status_updated_at DATETIME NULL,
  assignee_updated_at DATETIME NULL,
  assignee_group_id INT NULL,
  reserve_datetime DATETIME AS (TIMESTAMP(reserve_date, reserve_time)) STORED
);
CREATE TABLE ti_igniter_reviews (
  review_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id BIGINT UNSIGNED NULL,
  reviewable_id BIGINT UNSIGNED NULL,
  reviewable_type ENUM('orders','reservations') NOT NULL,
  author VARCHAR(255) NULL,
  location_id BIGINT UNSIGNED NULL,
  quality INT NOT NULL,
  delivery INT NOT NULL,
  service INT NOT NULL,
  review_text TEXT NULL,
  created_at DATETIME NOT NULL,
  review_status TINYINT(1) NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE ti_addresses (
  address_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  customer_id INT NULL,
  address_1 VARCHAR(255) NOT NULL,
  address_2 VARCHAR(255) NULL,
  city VARCHAR(255) NULL,
  state VARCHAR(255) NULL,
  postcode VARCHAR(255) NULL,
  country_id INT NOT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_customer_groups (
  customer_group_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  group_name VARCHAR(32) NOT NULL,
  description TEXT NULL,
  approval TINYINT(1) NOT NULL,
  is_default TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_media_attachments (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  disk VARCHAR(255) NOT NULL,
  name VARCHAR(255) NOT NULL,
  file_name VARCHAR(255) NOT NULL,
  mime_type VARCHAR(255) NOT NULL,
  size INT NOT NULL,
  tag VARCHAR(255) NULL,
  attachment_type VARCHAR(255) NULL,
  attachment_id BIGINT UNSIGNED NULL,
  is_public TINYINT(1) NOT NULL DEFAULT 1,
  custom_properties TEXT NULL,
  priority INT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_menu_categories (
  menu_id INT NOT NULL,
  category_id INT NOT NULL,
  PRIMARY KEY (menu_id, category_id)
);
CREATE TABLE ti_menu_mealtimes (
  menu_id INT NOT NULL,
  mealtime_id INT NOT NULL,
  UNIQUE KEY menu_mealtimes_unique (menu_id, mealtime_id)
);
CREATE TABLE ti_mealtimes (
  mealtime_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  mealtime_name VARCHAR(255) NOT NULL,
  start_time TIME NOT NULL DEFAULT '00:00:00',
  end_time TIME NOT NULL DEFAULT '23:59:59',
  mealtime_status TINYINT(1) NOT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL,
  validity VARCHAR(15) NOT NULL DEFAULT 'daily',
  start_at DATETIME NULL,
  end_at DATETIME NULL,
  recurring_every JSON NULL,
  recurring_from TIME NULL,
  recurring_to TIME NULL
);
CREATE TABLE ti_menu_options (
  option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  option_name VARCHAR(255) NOT NULL,
  display_type VARCHAR(255) NOT NULL,
  priority INT NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_menu_option_values (
  option_value_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  option_id INT NOT NULL,
  name VARCHAR(255) NOT NULL,
  price DECIMAL(15,4) NULL,
  priority INT NOT NULL DEFAULT 0
);
CREATE TABLE ti_menu_item_options (
  menu_option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  option_id INT NOT NULL,
  menu_id INT NOT NULL,
  is_required TINYINT(1) NOT NULL DEFAULT 0,
  priority INT NOT NULL DEFAULT 0,
  min_selected INT NOT NULL DEFAULT 0,
  max_selected INT NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_menu_item_option_values (
  menu_option_value_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  menu_option_id INT NOT NULL,
  option_value_id INT NOT NULL,
  override_price DECIMAL(15,4) NULL,
  priority INT NOT NULL DEFAULT 0,
  is_default TINYINT(1) NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_menus_specials (
  special_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  menu_id INT NOT NULL DEFAULT 0,
  start_date DATETIME NULL DEFAULT CURRENT_TIMESTAMP,
  end_date DATETIME NULL DEFAULT CURRENT_TIMESTAMP,
  special_price DECIMAL(15,4) NULL,
  special_status TINYINT(1) NOT NULL,
  type VARCHAR(255) NOT NULL,
  validity VARCHAR(255) NOT NULL,
  recurring_every TEXT NULL,
  recurring_from TIME NULL,
  recurring_to TIME NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_ingredients (
  ingredient_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  description VARCHAR(255) NOT NULL,
  status TINYINT(1) NOT NULL DEFAULT 1,
  created_at DATETIME NULL,
  updated_at DATETIME NULL,
  is_allergen TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ti_ingredientables (
  ingredient_id INT NOT NULL,
  ingredientable_type VARCHAR(255) NOT NULL,
  ingredientable_id BIGINT UNSIGNED NOT NULL,
  UNIQUE KEY ingredientable_unique (ingredient_id, ingredientable_id, ingredientable_type)
);
CREATE TABLE ti_stocks (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id BIGINT UNSIGNED NOT NULL,
  stockable_id BIGINT UNSIGNED NOT NULL,
  stockable_type VARCHAR(255) NOT NULL,
  quantity BIGINT UNSIGNED NULL,
  low_stock_alert TINYINT(1) NOT NULL DEFAULT 0,
  low_stock_threshold INT NOT NULL DEFAULT 0,
  is_tracked TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL,
  low_stock_alert_sent TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ti_locationables (
  location_id INT NOT NULL,
  locationable_id INT NOT NULL,
  locationable_type VARCHAR(255) NOT NULL,
  options TEXT NULL,
  UNIQUE KEY locationables_unique (location_id, locationable_id, locationable_type)
);
CREATE TABLE ti_location_areas (
  area_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id INT NOT NULL,
  name VARCHAR(255) NOT NULL,
  type VARCHAR(32) NOT NULL,
  boundaries JSON NOT NULL,
  conditions JSON NOT NULL,
  color VARCHAR(40) NULL,
  is_default TINYINT(1) NOT NULL DEFAULT 0,
  priority INT NOT NULL DEFAULT 0
);
CREATE TABLE ti_working_hours (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id BIGINT UNSIGNED NOT NULL,
  type VARCHAR(32) NOT NULL,
  weekday INT NOT NULL,
  opening_time TIME NOT NULL,
  closing_time TIME NOT NULL,
  status TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_location_settings (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id BIGINT UNSIGNED NOT NULL,
  item VARCHAR(255) NOT NULL,
  data JSON NULL
);
CREATE TABLE ti_statuses (
  status_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  status_name VARCHAR(255) NOT NULL,
  status_comment TEXT NULL,
  notify_customer TINYINT(1) NULL,
  status_for VARCHAR(255) NOT NULL,
  status_color VARCHAR(255) NOT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_status_history (
  status_history_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  object_id INT NOT NULL,
  user_id INT NULL,
  status_id INT NOT NULL,
  notify TINYINT(1) NULL,
  comment TEXT NULL,
  created_at DATETIME NOT NULL,
  object_type VARCHAR(255) NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE ti_payments (
  payment_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  code VARCHAR(128) NOT NULL UNIQUE,
  class_name TEXT NOT NULL,
  description TEXT NULL,
  data JSON NULL,
  status TINYINT(1) NOT NULL DEFAULT 0,
  is_default TINYINT(1) NOT NULL DEFAULT 0,
  priority INT NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  updated_at DATETIME NOT NULL
);
CREATE TABLE ti_admin_users (
  user_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(32) NOT NULL UNIQUE,
  password VARCHAR(255) NULL,
  super_user TINYINT(1) NULL,
  reset_code VARCHAR(255) NULL,
  reset_time DATETIME NULL,
  activation_code VARCHAR(255) NULL,
  remember_token VARCHAR(255) NULL,
  is_activated TINYINT(1) NULL,
  activated_at DATETIME NULL,
  last_login DATETIME NULL,
  last_seen DATETIME NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL,
  user_role_id BIGINT UNSIGNED NULL,
  language_id BIGINT UNSIGNED NULL,
  status TINYINT(1) NOT NULL DEFAULT 0,
  sale_permission INT NOT NULL DEFAULT 0,
  name VARCHAR(255) NOT NULL,
  email VARCHAR(255) NOT NULL UNIQUE,
  invited_at DATETIME NULL,
  telephone VARCHAR(255) NULL
);
CREATE TABLE ti_admin_user_groups (
  user_group_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_group_name VARCHAR(32) NOT NULL,
  description TEXT NOT NULL,
  auto_assign TINYINT(1) NULL DEFAULT 0,
  auto_assign_mode INT NULL DEFAULT 1,
  auto_assign_limit INT NULL DEFAULT 20,
  auto_assign_availability TINYINT(1) NULL DEFAULT 1,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_admin_user_roles (
  user_role_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  code VARCHAR(255) NULL,
  description TEXT NULL,
  permissions TEXT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_admin_users_groups (
  user_id INT NOT NULL,
  user_group_id INT NOT NULL,
  PRIMARY KEY (user_id, user_group_id)
);
CREATE TABLE ti_dining_areas (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  description VARCHAR(255) NULL,
  floor_plan TEXT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_dining_sections (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  location_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  description VARCHAR(255) NULL,
  color VARCHAR(255) NULL,
  priority INT NOT NULL DEFAULT 0,
  is_enabled TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_dining_tables (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  dining_area_id BIGINT UNSIGNED NOT NULL,
  dining_section_id BIGINT UNSIGNED NULL,
  parent_id BIGINT UNSIGNED NULL,
  name VARCHAR(255) NOT NULL,
  shape VARCHAR(255) NULL,
  min_capacity INT NOT NULL DEFAULT 0,
  max_capacity INT NOT NULL DEFAULT 0,
  extra_capacity INT NOT NULL DEFAULT 0,
  is_combo TINYINT(1) NOT NULL DEFAULT 0,
  is_enabled TINYINT(1) NOT NULL DEFAULT 0,
  nest_left INT NULL,
  nest_right INT NULL,
  priority INT NOT NULL DEFAULT 0,
  seat_layout TEXT NULL,
  created_at DATETIME NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_reservation_tables (
  reservation_id INT NOT NULL,
  table_id INT NOT NULL,
  dining_table_id BIGINT UNSIGNED NULL,
  PRIMARY KEY (reservation_id, table_id)
);
CREATE TABLE ti_order_menus (
  order_menu_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT NOT NULL,
  menu_id INT NOT NULL,
  name VARCHAR(255) NOT NULL,
  quantity INT NOT NULL,
  price DECIMAL(15,4) NULL,
  subtotal DECIMAL(15,4) NULL,
  option_values TEXT NULL,
  comment TEXT NULL
);
CREATE TABLE ti_order_menu_options (
  order_option_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT NOT NULL,
  order_option_name VARCHAR(255) NOT NULL,
  order_option_price DECIMAL(15,4) NULL,
  order_menu_id INT NOT NULL,
  menu_option_id INT NOT NULL,
  menu_option_value_id INT NOT NULL,
  quantity INT NULL DEFAULT 1
);
CREATE TABLE ti_order_totals (
  order_total_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_id INT NOT NULL,
  code VARCHAR(255) NOT NULL,
  title VARCHAR(255) NOT NULL,
  value DECIMAL(15,4) NOT NULL,
  priority TINYINT(1) NOT NULL DEFAULT 0,
  is_summable TINYINT(1) NOT NULL DEFAULT 0
);
CREATE TABLE ti_igniter_coupons_history (
  coupon_history_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  coupon_id BIGINT UNSIGNED NOT NULL,
  order_id BIGINT UNSIGNED NULL,
  customer_id BIGINT UNSIGNED NULL,
  code VARCHAR(15) NOT NULL,
  min_total DECIMAL(15,4) NULL,
  amount DECIMAL(15,4) NULL,
  created_at DATETIME NOT NULL,
  status TINYINT(1) NOT NULL,
  updated_at DATETIME NULL
);
CREATE TABLE ti_igniter_coupon_categories (
  coupon_id INT NOT NULL,
  category_id INT NOT NULL,
  UNIQUE KEY coupon_category (coupon_id, category_id)
);
CREATE TABLE ti_igniter_coupon_menus (
  coupon_id INT NOT NULL,
  menu_id INT NOT NULL,
  UNIQUE KEY coupon_menu (coupon_id, menu_id)
);
CREATE TABLE ti_igniter_coupon_customers (
  coupon_id BIGINT UNSIGNED NOT NULL,
  customer_id BIGINT UNSIGNED NOT NULL
);
CREATE TABLE ti_igniter_coupon_customer_groups (
  coupon_id BIGINT UNSIGNED NOT NULL,
  customer_group_id BIGINT UNSIGNED NOT NULL
);
CREATE TABLE ti_countries (
  country_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  country_name VARCHAR(255) NOT NULL,
  iso_code_2 VARCHAR(2) NULL,
  iso_code_3 VARCHAR(3) NULL,
  format TEXT NULL,
  status TINYINT(1) NOT NULL DEFAULT 0,
  priority INT NOT NULL DEFAULT 999,
  created_at DATETIME NULL,
  updated_at DATETIME NULL,
  is_default TINYINT(1) NOT NULL DEFAULT 0
);
INSERT INTO ti_categories (category_id, name, description, parent_id, priority, status, nest_left, nest_right, permalink_slug, created_at, updated_at) VALUES
  (1, 'name1', 'description', NULL, 1, 1, 1, 1, 'permalink1', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'name2', 'description', 2, 2, 0, 2, 2, 'permalink2', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_igniter_coupons (coupon_id, name, code, type, discount, min_total, redemptions, customer_redemptions, description, status, created_at, validity, fixed_date, fixed_from_time, fixed_to_time, period_start_date, period_end_date, recurring_every, recurring_from_time, recurring_to_time, order_restriction, auto_apply, updated_at, apply_coupon_on, min_menu_quantity) VALUES
  (1, 'name1', 'code1', 'F', 4.5, 4.5, 1, 1, 'description', 1, '2026-01-02 03:04:05', 'forever', '2026-01-02', '11:30:00', '11:30:00', '2026-01-02', '2026-01-02', 'recurring1', '11:30:00', '11:30:00', '["delivery"]', 1, '2026-01-02 03:04:05', 'whole_cart', 1),
  (2, 'name2', 'code2', 'P', 12.25, 12.25, 2, 2, 'description', 0, '2026-02-02 03:04:05', 'fixed', '2026-02-02', '12:30:00', '12:30:00', '2026-02-02', '2026-02-02', 'recurring2', '12:30:00', '12:30:00', '{"a": 1}', 0, '2026-02-02 03:04:05', 'menu_items', 2);
INSERT INTO ti_customers (customer_id, first_name, last_name, email, password, telephone, address_id, newsletter, customer_group_id, ip_address, created_at, status, reset_code, reset_time, activation_code, remember_token, is_activated, activated_at, last_login, last_seen, updated_at, invited_at, last_location_area) VALUES
  (1, 'first1', 'last1', 'e1@example.com', 'password1', 'telephone1', 1, 1, 1, 'ip1', '2026-01-02 03:04:05', 1, 'reset1', '2026-01-02 03:04:05', 'activation1', 'remember1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05', 'last_location_area'),
  (2, 'first2', 'last2', 'e2@example.com', 'password2', 'telephone2', 2, 0, 2, 'ip2', '2026-02-02 03:04:05', 0, 'reset2', '2026-02-02 03:04:05', 'activation2', 'remember2', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', '2026-02-02 03:04:05', '2026-02-02 03:04:05', '2026-02-02 03:04:05', 'last_location_area');
INSERT INTO ti_locations (location_id, location_name, location_email, description, location_address_1, location_address_2, location_city, location_state, location_postcode, location_country_id, location_telephone, location_lat, location_lng, location_radius, location_status, permalink_slug, is_default, created_at, updated_at, is_auto_lat_lng) VALUES
  (1, 'location1', 'l1@example.com', 'description', 'location1', 'location1', 'location1', 'location1', 'location1', 1, 'location_telephone', 4.5, 4.5, 1, 1, 'permalink1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1),
  (2, 'location2', 'l2@example.com', 'description', 'location2', 'location2', 'location2', 'location2', 'location2', 2, 'location_telephone', 12.25, 12.25, 2, 0, 'permalink2', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 0);
INSERT INTO ti_menus (menu_id, menu_name, menu_description, menu_price, minimum_qty, menu_status, menu_priority, order_restriction, created_at, updated_at) VALUES
  (1, 'menu1', 'menu_description', 4.5, 1, 1, 1, '["delivery"]', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'menu2', 'menu_description', 12.25, 2, 0, 2, '{"a": 1}', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_orders (order_id, customer_id, first_name, last_name, email, telephone, location_id, address_id, cart, total_items, comment, payment, order_type, created_at, updated_at, order_time, order_date, order_total, status_id, ip_address, user_agent, assignee_id, invoice_prefix, invoice_date, hash, processed, status_updated_at, assignee_updated_at, assignee_group_id, order_time_is_asap, delivery_comment) VALUES
  (1, 1, 'first1', 'last1', 'e1@example.com', 'telephone1', 1, 1, 'cart', 1, 'comment', 'cod', 'order1', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '11:30:00', '2026-01-02', 4.5, 1, 'ip1', 'user1', 1, 'invoice1', '2026-01-02 03:04:05', 'hash1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1, 1, 'delivery_comment'),
  (2, 2, 'first2', 'last2', 'e2@example.com', 'telephone2', 2, 2, 'cart', 2, 'comment', 'card', 'order2', '2026-02-02 03:04:05', '2026-02-02 03:04:05', '12:30:00', '2026-02-02', 12.25, 2, 'ip2', 'user2', 2, 'invoice2', '2026-02-02 03:04:05', 'hash2', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 2, 0, 'delivery_comment');
INSERT INTO ti_reservations (reservation_id, location_id, table_id, guest_num, occasion_id, customer_id, first_name, last_name, email, telephone, comment, reserve_time, reserve_date, created_at, updated_at, assignee_id, notify, ip_address, user_agent, status_id, hash, duration, processed, status_updated_at, assignee_updated_at, assignee_group_id) VALUES
  (1, 1, 1, 1, 1, 1, 'first1', 'last1', 'e1@example.com', 'telephone1', 'comment', '11:30:00', '2026-01-02', '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1, 1, 'ip1', 'user1', 1, 'hash1', 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1),
  (2, 2, 2, 2, 2, 2, 'first2', 'last2', 'e2@example.com', 'telephone2', 'comment', '12:30:00', '2026-02-02', '2026-02-02 03:04:05', '2026-02-02 03:04:05', 2, 0, 'ip2', 'user2', 2, 'hash2', 2, 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 2);
INSERT INTO ti_igniter_reviews (review_id, customer_id, reviewable_id, reviewable_type, author, location_id, quality, delivery, service, review_text, created_at, review_status, updated_at) VALUES
  (1, 1, 1, 'orders', 'author1', 1, 1, 1, 1, 'review_text', '2026-01-02 03:04:05', 1, '2026-01-02 03:04:05'),
  (2, 2, 2, 'orders', 'author2', 2, 2, 2, 2, 'review_text', '2026-02-02 03:04:05', 0, '2026-02-02 03:04:05');
INSERT INTO ti_addresses (address_id, customer_id, address_1, address_2, city, state, postcode, country_id, created_at, updated_at) VALUES
  (1, 1, 'address1', 'address1', 'city1', 'state1', 'postcode1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 'address2', 'address2', 'city2', 'state2', 'postcode2', 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_customer_groups (customer_group_id, group_name, description, approval, is_default, created_at, updated_at) VALUES
  (1, 'group1', 'description', 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'group2', 'description', 0, 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_media_attachments (id, disk, name, file_name, mime_type, size, tag, attachment_type, attachment_id, is_public, custom_properties, priority, created_at, updated_at) VALUES
  (1, 'disk1', 'name1', 'file1', 'mime1', 1, 'tag1', 'menus', 1, 1, 'custom_properties', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'disk2', 'name2', 'file2', 'mime2', 2, 'tag2', 'categories', 2, 0, 'custom_properties', 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_menu_categories (menu_id, category_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_menu_mealtimes (menu_id, mealtime_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_mealtimes (mealtime_id, mealtime_name, start_time, end_time, mealtime_status, created_at, updated_at, validity, start_at, end_at, recurring_every, recurring_from, recurring_to) VALUES
  (1, 'mealtime1', '11:30:00', '11:30:00', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 'daily', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '["delivery"]', '11:30:00', '11:30:00'),
  (2, 'mealtime2', '12:30:00', '12:30:00', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 'daily', '2026-02-02 03:04:05', '2026-02-02 03:04:05', '{"a": 1}', '12:30:00', '12:30:00');
INSERT INTO ti_menu_options (option_id, option_name, display_type, priority, created_at, updated_at) VALUES
  (1, 'option1', 'display1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'option2', 'display2', 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_menu_option_values (option_value_id, option_id, name, price, priority) VALUES
  (1, 1, 'name1', 4.5, 1),
  (2, 2, 'name2', 12.25, 2);
INSERT INTO ti_menu_item_options (menu_option_id, option_id, menu_id, is_required, priority, min_selected, max_selected, created_at, updated_at) VALUES
  (1, 1, 1, 1, 1, 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 2, 0, 2, 2, 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_menu_item_option_values (menu_option_value_id, menu_option_id, option_value_id, override_price, priority, is_default, created_at, updated_at) VALUES
  (1, 1, 1, 4.5, 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 2, 12.25, 2, 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_menus_specials (special_id, menu_id, start_date, end_date, special_price, special_status, type, validity, recurring_every, recurring_from, recurring_to, created_at, updated_at) VALUES
  (1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 4.5, 1, 'type1', 'daily', 'recurring_every', '11:30:00', '11:30:00', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 12.25, 0, 'type2', 'daily', 'recurring_every', '12:30:00', '12:30:00', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_ingredients (ingredient_id, name, description, status, created_at, updated_at, is_allergen) VALUES
  (1, 'name1', 'description1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1),
  (2, 'name2', 'description2', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 0);
INSERT INTO ti_ingredientables (ingredient_id, ingredientable_type, ingredientable_id) VALUES
  (1, 'menus', 1),
  (2, 'menus', 2);
INSERT INTO ti_stocks (id, location_id, stockable_id, stockable_type, quantity, low_stock_alert, low_stock_threshold, is_tracked, created_at, updated_at, low_stock_alert_sent) VALUES
  (1, 1, 1, 'menus', 1, 1, 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1),
  (2, 2, 2, 'menus', 2, 0, 2, 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 0);
INSERT INTO ti_locationables (location_id, locationable_id, locationable_type, options) VALUES
  (1, 1, 'menus', 'options'),
  (2, 2, 'categories', 'options');
INSERT INTO ti_location_areas (area_id, location_id, name, type, boundaries, conditions, color, is_default, priority) VALUES
  (1, 1, 'name1', 'type1', '["delivery"]', '["delivery"]', 'color1', 1, 1),
  (2, 2, 'name2', 'type2', '{"a": 1}', '{"a": 1}', 'color2', 0, 2);
INSERT INTO ti_working_hours (id, location_id, type, weekday, opening_time, closing_time, status, created_at, updated_at) VALUES
  (1, 1, 'type1', 1, '11:30:00', '11:30:00', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 'type2', 2, '12:30:00', '12:30:00', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_location_settings (id, location_id, item, data) VALUES
  (1, 1, 'item1', '["delivery"]'),
  (2, 2, 'item2', '{"a": 1}');
INSERT INTO ti_statuses (status_id, status_name, status_comment, notify_customer, status_for, status_color, created_at, updated_at) VALUES
  (1, 'status1', 'status_comment', 1, 'status1', 'status1', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'status2', 'status_comment', 0, 'status2', 'status2', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_status_history (status_history_id, object_id, user_id, status_id, notify, comment, created_at, object_type, updated_at) VALUES
  (1, 1, 1, 1, 1, 'comment', '2026-01-02 03:04:05', 'orders', '2026-01-02 03:04:05'),
  (2, 2, 2, 2, 0, 'comment', '2026-02-02 03:04:05', 'reservations', '2026-02-02 03:04:05');
INSERT INTO ti_payments (payment_id, name, code, class_name, description, data, status, is_default, priority, created_at, updated_at) VALUES
  (1, 'name1', 'cod', 'class_name', 'description', '["delivery"]', 1, 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'name2', 'card', 'class_name', 'description', '{"a": 1}', 0, 0, 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_admin_users (user_id, username, password, super_user, reset_code, reset_time, activation_code, remember_token, is_activated, activated_at, last_login, last_seen, created_at, updated_at, user_role_id, language_id, status, sale_permission, name, email, invited_at, telephone) VALUES
  (1, 'username1', 'password1', 1, 'reset1', '2026-01-02 03:04:05', 'activation1', 'remember1', 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1, 1, 1, 1, 'name1', 'e1@example.com', '2026-01-02 03:04:05', 'telephone1'),
  (2, 'username2', 'password2', 0, 'reset2', '2026-02-02 03:04:05', 'activation2', 'remember2', 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05', '2026-02-02 03:04:05', '2026-02-02 03:04:05', '2026-02-02 03:04:05', 2, 2, 0, 2, 'name2', 'e2@example.com', '2026-02-02 03:04:05', 'telephone2');
INSERT INTO ti_admin_user_groups (user_group_id, user_group_name, description, auto_assign, auto_assign_mode, auto_assign_limit, auto_assign_availability, created_at, updated_at) VALUES
  (1, 'user1', 'description', 1, 1, 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'user2', 'description', 0, 2, 2, 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_admin_user_roles (user_role_id, name, code, description, permissions, created_at, updated_at) VALUES
  (1, 'name1', 'code1', 'description', 'permissions', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 'name2', 'code2', 'description', 'permissions', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_admin_users_groups (user_id, user_group_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_dining_areas (id, location_id, name, description, floor_plan, created_at, updated_at) VALUES
  (1, 1, 'name1', 'description1', 'floor_plan', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 'name2', 'description2', 'floor_plan', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_dining_sections (id, location_id, name, description, color, priority, is_enabled, created_at, updated_at) VALUES
  (1, 1, 'name1', 'description1', 'color1', 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 'name2', 'description2', 'color2', 2, 0, '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_dining_tables (id, dining_area_id, dining_section_id, parent_id, name, shape, min_capacity, max_capacity, extra_capacity, is_combo, is_enabled, nest_left, nest_right, priority, seat_layout, created_at, updated_at) VALUES
  (1, 1, 1, NULL, 'name1', 'shape1', 1, 1, 1, 1, 1, 1, 1, 1, 'seat_layout', '2026-01-02 03:04:05', '2026-01-02 03:04:05'),
  (2, 2, 2, 2, 'name2', 'shape2', 2, 2, 2, 0, 0, 2, 2, 2, 'seat_layout', '2026-02-02 03:04:05', '2026-02-02 03:04:05');
INSERT INTO ti_reservation_tables (reservation_id, table_id, dining_table_id) VALUES
  (1, 1, 1),
  (2, 2, 2);
INSERT INTO ti_order_menus (order_menu_id, order_id, menu_id, name, quantity, price, subtotal, option_values, comment) VALUES
  (1, 1, 1, 'name1', 1, 4.5, 4.5, 'option_values', 'comment'),
  (2, 2, 2, 'name2', 2, 12.25, 12.25, 'option_values', 'comment');
INSERT INTO ti_order_menu_options (order_option_id, order_id, order_option_name, order_option_price, order_menu_id, menu_option_id, menu_option_value_id, quantity) VALUES
  (1, 1, 'order1', 4.5, 1, 1, 1, 1),
  (2, 2, 'order2', 12.25, 2, 2, 2, 2);
INSERT INTO ti_order_totals (order_total_id, order_id, code, title, value, priority, is_summable) VALUES
  (1, 1, 'code1', 'title1', 4.5, 1, 1),
  (2, 2, 'code2', 'title2', 12.25, 0, 0);
INSERT INTO ti_igniter_coupons_history (coupon_history_id, coupon_id, order_id, customer_id, code, min_total, amount, created_at, status, updated_at) VALUES
  (1, 1, 1, 1, 'code1', 4.5, 4.5, '2026-01-02 03:04:05', 1, '2026-01-02 03:04:05'),
  (2, 2, 2, 2, 'code2', 12.25, 12.25, '2026-02-02 03:04:05', 0, '2026-02-02 03:04:05');
INSERT INTO ti_igniter_coupon_categories (coupon_id, category_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_igniter_coupon_menus (coupon_id, menu_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_igniter_coupon_customers (coupon_id, customer_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_igniter_coupon_customer_groups (coupon_id, customer_group_id) VALUES
  (1, 1),
  (2, 2);
INSERT INTO ti_countries (country_id, country_name, iso_code_2, iso_code_3, format, status, priority, created_at, updated_at, is_default) VALUES
  (1, 'country1', 'is', 'iso', 'format', 1, 1, '2026-01-02 03:04:05', '2026-01-02 03:04:05', 1),
  (2, 'country2', 'is', 'iso', 'format', 0, 2, '2026-02-02 03:04:05', '2026-02-02 03:04:05', 0);
SET sql_mode = '';
INSERT INTO ti_igniter_coupons (name, code) VALUES ('Third', 'third');
