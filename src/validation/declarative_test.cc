#include "validation/declarative.h"

#include <gtest/gtest.h>

namespace quadra::validation {
namespace {

struct Wheel {
  std::string name;
  friend bool operator==(const Wheel&, const Wheel&) = default;
};
struct Car {
  std::string name;
  std::optional<std::int32_t> doors;
  api::List<std::string> colours;
  api::List<Wheel> wheels;
  api::Map<Wheel> spares;
};

constexpr auto kWheel = Rules(Field("name", &Wheel::name, Beta(Required{}, ShortName)));
constexpr auto kCar =
    Rules(Field("name", &Car::name, Optional{}, ShortName),
          Field("doors", &Car::doors, Required{}, Minimum{2}, Maximum{5}),
          Field("colours", &Car::colours, MaxItems{2}, Unique(Self{}), EachBy(Self{}, ShortName)),
          Field("wheels", &Car::wheels, EachBy(&Wheel::name, kWheel)),
          Field("spares", &Car::spares, EachKey(ShortName), EachValue(kWheel)));

std::vector<std::string> Judge(const Car& now, const Car* old = nullptr) {
  const Request request{.operation = old != nullptr ? Operation::kUpdate : Operation::kCreate};
  ErrorList errors;
  const Path root("");
  kCar(Site{request, errors, root}, now, old);
  std::vector<std::string> texts;
  for (const FieldError& error : errors.errors()) {
    texts.push_back(error.field + " " + std::string(ErrorTypeName(error.type)) +
                    (error.beta ? " beta" : ""));
  }
  return texts;
}

TEST(Declarative, JudgesFieldsInOrder) {
  Car car;
  car.colours = {"red", "red"};
  car.wheels.push_back({"w"});
  car.wheels.push_back({""});
  car.spares["B"] = {""};
  EXPECT_EQ(Judge(car), (std::vector<std::string>{
                            "doors FieldValueRequired", "colours[1] FieldValueDuplicate",
                            "wheels[1].name FieldValueRequired beta", "spares FieldValueInvalid",
                            "spares[B].name FieldValueRequired beta"}));
}

TEST(Declarative, StopsARowAtASizeLimit) {
  Car car{.doors = 1, .colours = {"R", "R", "R"}};
  EXPECT_EQ(Judge(car),
            (std::vector<std::string>{"doors FieldValueInvalid", "colours FieldValueTooMany"}));
}

TEST(Declarative, DoesNotJudgeUnchangedPartsAgain) {
  Car old{.name = "Bad Name", .doors = 7, .colours = {"RED"}};
  old.wheels.push_back({"W1"});
  old.wheels.push_back({"W2"});
  old.spares["S"] = {"X"};
  EXPECT_TRUE(Judge(old, &old).empty());

  Car now = old;
  now.doors = 8;
  now.colours = {"RED", "BLUE"};
  now.wheels = {{"W3"}, {"W2"}};
  now.spares["T"] = {"y"};
  EXPECT_EQ(Judge(now, &old),
            (std::vector<std::string>{"doors FieldValueInvalid", "colours[1] FieldValueInvalid",
                                      "wheels[0].name FieldValueInvalid beta",
                                      "spares FieldValueInvalid"}));
}

}  // namespace
}  // namespace quadra::validation
